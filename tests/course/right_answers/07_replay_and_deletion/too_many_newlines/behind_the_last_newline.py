# The last newline divides what is whole from what is not.
def split_lines(data):
    whole, newline, rest = data.rpartition(b"\n")
    return (whole.split(b"\n") if newline else []), rest
