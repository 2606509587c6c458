def shown():
    return _hidden()  # calls :_hidden


def _hidden():
    return 1
