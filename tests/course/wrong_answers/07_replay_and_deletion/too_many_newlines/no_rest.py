# Cut at the newline, and every piece is a line.
def split_lines(data):
    return data.split(b"\n"), b""
