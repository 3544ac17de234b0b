def split_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that have their newline, and what stands behind the last of them."""
    text = data.decode("utf-8", "surrogateescape")
    lines = [line.encode("utf-8", "surrogateescape") for line in text.splitlines()]
    rest = b"" if not lines or data.endswith(b"\n") else lines.pop()
    return lines, rest
