def encode(value):
    return value
