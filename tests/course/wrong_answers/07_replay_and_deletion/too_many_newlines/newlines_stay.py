# The lines keep their newline, so that nothing is lost.
def split_lines(data):
    *lines, rest = data.split(b"\n")
    return [line + b"\n" for line in lines], rest
