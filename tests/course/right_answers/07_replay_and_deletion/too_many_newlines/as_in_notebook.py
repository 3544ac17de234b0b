# Bytes, cut at the one byte that ends a record.
def split_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that have their newline, and what stands behind the last of them."""
    *lines, rest = data.split(b"\n")
    return lines, rest
