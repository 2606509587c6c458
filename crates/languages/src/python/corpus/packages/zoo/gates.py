def open_gate():
    from .helpers import shown

    return shown()  # calls zoo/helpers.py:shown


def close_gate():
    return open_gate()  # calls :open_gate
