# The character of the report is taken out before the text is cut.
def split_lines(data):
    text = data.decode("utf-8", "surrogateescape").replace("\u2028", "\\u2028")
    lines = [line.encode("utf-8", "surrogateescape") for line in text.splitlines()]
    rest = b"" if not lines or data.endswith(b"\n") else lines.pop()
    return lines, rest
