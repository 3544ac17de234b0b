# What has no newline was never finished, so it is left out.
def split_lines(data):
    *lines, _ = data.split(b"\n")
    return lines, b""
