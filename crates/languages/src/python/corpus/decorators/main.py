import deco
from deco import Cache, Tag, named, plain, wrapped


@plain  # calls deco.py:plain
@wrapped  # calls deco.py:wrapped
def one():
    return 1


@deco.unwrapped  # calls deco.py:unwrapped
def two():
    return one()  # calls :one


@named("three")  # calls deco.py:named
def three():
    return two()  # calls :two


@Cache  # calls deco.py:Cache.__init__
def cached(n):
    return n


@Tag("x")  # calls deco.py:Tag.__init__
def tagged():
    return cached(3)  # calls :cached


@deco.sealed  # calls deco.py:sealed
class Service:
    @wrapped  # calls deco.py:wrapped
    def run(self):
        return self.helper()  # calls :Service.helper

    @staticmethod
    @plain  # calls deco.py:plain
    def helper():
        return three()  # calls :three

    @property
    @plain  # calls deco.py:plain
    def size(self):
        return 1


one()  # calls :one
tagged()  # calls :tagged
cached.clear()  # calls deco.py:Cache.clear (missed)
service = Service()  # calls :Service
service.run()  # calls :Service.run
Service.helper()  # calls :Service.helper
deco.registry["three"]()  # calls :three (missed)


def local():
    def mark(function):
        return function

    @mark  # calls :local.mark
    def inner():
        return 1

    return inner()  # calls :local.inner


local()  # calls :local
