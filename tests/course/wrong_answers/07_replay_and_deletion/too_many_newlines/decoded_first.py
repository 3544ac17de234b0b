# The text is cut at its newlines, once it is decoded.
def split_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that have their newline, and what stands behind the last of them."""
    lines = data.decode().split("\n")
    rest = lines.pop()
    return [l.encode() for l in lines], rest.encode()
