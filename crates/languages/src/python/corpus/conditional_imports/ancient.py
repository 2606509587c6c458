def decode(value):
    return value
