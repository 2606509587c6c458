from __future__ import annotations


class Vector:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Vector(self.x + other.x)  # calls :Vector.__init__

    def __radd__(self, other):
        return self

    def __mul__(self, by) -> Scaled:
        return Scaled(self, by)  # calls :Scaled.__init__

    def __neg__(self):
        return Vector(-self.x)  # calls :Vector.__init__

    def __getitem__(self, at):
        return Part(at)  # calls :Part.__init__

    def __call__(self, by):
        return self * by

    def __eq__(self, other):
        return True

    def __contains__(self, item):
        return self.has(item)  # calls :Vector.has

    def has(self, item):
        return True

    def length(self):
        return self.x

    def __getattr__(self, name):
        raise AttributeError(name)


class Scaled:
    def __init__(self, of, by):
        self.of = of
        self.by = by

    def value(self):
        return self.of.length() * self.by  # calls :Vector.length


class Part:
    def __init__(self, at):
        self.at = at

    def show(self):
        return str(self.at)


class Handler:
    def __call__(self, request):
        return self.process(request)  # calls :Handler.process

    def process(self, request):
        return request


class Chain:
    def __init__(self):
        self.handler = Handler()  # calls :Handler

    def __or__(self, other):
        return self

    def run(self, request):
        return self.handler(request)  # calls :Handler.__call__


a, b = Vector(1), Vector(2)  # calls :Vector.__init__
(a + b).length()  # calls :Vector.length
total = a + b
total.length()  # calls :Vector.length
(a * 2).value()  # calls :Scaled.value
(-a).length()  # calls :Vector.length
a[0].show()  # calls :Part.show
a(3).value()  # calls :Vector.__call__, :Scaled.value (missed)
(a or b).length()  # calls :Vector.length
(a == b) and a.has(1)  # calls :Vector.has
handler = Handler()  # calls :Handler
handler("r")  # calls :Handler.__call__
Handler()("r")  # calls :Handler, :Handler.__call__
chain = Chain() | Chain()  # calls :Chain.__init__
chain.run("r")  # calls :Chain.run
Chain().handler("x")  # calls :Chain.__init__, :Handler.__call__
a.__add__(b).length()  # calls :Vector.__add__, :Vector.length
total += a
total.length()  # calls :Vector.length
sum([a, b])
