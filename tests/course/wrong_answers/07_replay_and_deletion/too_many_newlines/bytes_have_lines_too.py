# Bytes know one end of a line only, and splitlines finds it.
def split_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that have their newline, and what stands behind the last of them."""
    lines = data.splitlines()
    rest = b"" if not lines or data.endswith(b"\n") else lines.pop()
    return lines, rest
