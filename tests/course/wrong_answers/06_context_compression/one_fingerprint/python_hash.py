# Python has a hash of its own.
def critical_fingerprint(packet):
    return f'{hash(packet):064x}'
