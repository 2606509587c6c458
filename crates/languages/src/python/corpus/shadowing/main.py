import helpers
from helpers import clean, load
from helpers import other as print


class A:
    def f(self):
        return 1


class B:
    def f(self):
        return 2


def load(path):
    return clean(path)  # calls helpers.py:clean (missed), :clean


def use_parameter(clean):
    return clean(1)


def use_local():
    clean = len
    return clean("a")


def use_loop():
    for clean in [str, repr]:
        clean(1)


def deleted():
    item = A()  # calls :A
    item.f()  # calls :A.f
    item = B()  # calls :B
    item.f()  # calls :B.f
    del item


def branches(flag):
    if flag:
        item = A()  # calls :A
    else:
        item = B()  # calls :B
    return item.f()  # calls :A.f, :B.f


def narrowed(item):
    if isinstance(item, A):
        return item.f()  # calls :A.f
    elif isinstance(item, B):
        return item.f()  # calls :B.f
    return None


def list(items):
    return items


class Box:
    def list(self):
        return list([1])  # calls :list

    def helpers(self):
        return helpers.clean(2)  # calls helpers.py:clean

    names = list([2])  # calls :Box.list


def reassign_global():
    global current
    current = B()  # calls :B


current = A()  # calls :A
current.f()  # calls :A.f, :B.f@12 (wrong)
load("a")  # calls :load
helpers.load("b")  # calls helpers.py:load
use_parameter(str)  # calls :use_parameter
use_local()  # calls :use_local
use_loop()  # calls :use_loop
deleted()  # calls :deleted
branches(True)  # calls :branches
branches(False)  # calls :branches
narrowed(A())  # calls :narrowed, :A
narrowed(B())  # calls :narrowed, :B
Box().list()  # calls :Box, :Box.list
Box().helpers()  # calls :Box, :Box.helpers
reassign_global()  # calls :reassign_global
print("x")  # calls helpers.py:other
len = max
len([1, 2])  # calls :len@93 (wrong)
clean("c")  # calls helpers.py:clean


def clean(value):
    return value


clean("d")  # calls :clean
[f for f in [A.f, B.f]][0](A())  # calls :A.f, :A, :B.f@12 (wrong)
sum = lambda values: helpers.clean(values)  # calls helpers.py:clean
sum([1])  # calls :sum@104 (wrong)
try:
    A().f()  # calls :A, :A.f
except ValueError as load:
    load()
load("e")  # calls :load
