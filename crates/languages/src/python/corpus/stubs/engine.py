class Engine:
    def __init__(self, n):
        self.parts = {"n": n}

    def child(self):
        return self.parts.get("c", self)

    def digest(self):
        return str(self.parts)


def make(n):
    return _cached(n)  # calls :_cached


def _cached(n):
    return globals()["Engine"](n)  # calls :Engine.__init__ (missed)


def version():
    return "1"
