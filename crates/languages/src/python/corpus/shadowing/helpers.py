def clean(value):
    return value


def load(path):
    return path


def other(text):
    return text
