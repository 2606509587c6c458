import functools


def plain(function):
    return function


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)  # calls main.py:one, main.py:Service.run

    return wrapper


def unwrapped(function):
    def wrapper(*args):
        before()  # calls :before
        return function(*args)  # calls main.py:two (missed)

    return wrapper


def before():
    return None


def named(name):
    def inner(function):
        registry[name] = function
        return function

    return inner


registry = {}


class Cache:
    def __init__(self, function):
        self.function = function
        self.store = {}

    def __call__(self, *args):
        if args not in self.store:
            self.store[args] = self.function(*args)  # calls main.py:cached (missed), :Cache.function@41 (wrong)
        return self.store[args]

    def clear(self):
        self.store.clear()


class Tag:
    def __init__(self, text):
        self.text = text

    def __call__(self, function):
        function.tag = self.text
        return function


def sealed(cls):
    cls.sealed = True
    return cls
