"""Functions in dictionaries and lists, and functions of which some arguments are given."""

import functools
import operator
from functools import partial, reduce


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


OPERATIONS = {"+": add, "-": sub}
STEPS = [add, sub]


def calculate(sign, a, b):
    return OPERATIONS[sign](a, b)  # calls :add, :sub


def safe(sign, a, b):
    operation = OPERATIONS.get(sign)
    if operation:
        return operation(a, b)  # calls :add, :sub
    return OPERATIONS.get(sign, mul)(a, b)  # calls :mul (missed), :add@8 (wrong), :sub@12 (wrong)


def run_all():
    for step in STEPS:
        step(1, 2)  # calls :add, :sub
    for name, operation in OPERATIONS.items():
        operation(1, 2)  # calls :add, :sub


class Shell:
    def __init__(self):
        self.commands = {"help": self.do_help, "quit": self.do_quit}

    def do_help(self):
        return "help"

    def do_quit(self):
        return "quit"

    def run(self, name):
        return self.commands[name]()  # calls :Shell.do_help, :Shell.do_quit

    def dynamic(self, name):
        return getattr(self, "do_" + name)()  # calls :Shell.do_help (missed), :Shell.do_quit (missed)

    handlers = {"add": add}

    def handle(self):
        return self.handlers["add"](1, 2)  # calls :add


add_one = partial(add, 1)
sub_one = functools.partial(sub, b=1)
add_one(2)  # calls :add
sub_one(2)  # calls :sub
partial(mul, 2)(3)  # calls :mul
calculate("+", 1, 2)  # calls :calculate
calculate("-", 1, 2)  # calls :calculate
safe("+", 1, 2)  # calls :safe
safe("-", 1, 2)  # calls :safe
safe("?", 1, 2)  # calls :safe
run_all()  # calls :run_all
shell = Shell()  # calls :Shell.__init__
shell.run("help")  # calls :Shell.run
shell.run("quit")  # calls :Shell.run
shell.dynamic("help")  # calls :Shell.dynamic
shell.dynamic("quit")  # calls :Shell.dynamic
shell.handle()  # calls :Shell.handle
reduce(add, [1, 2])
operator.add(1, 2)
pair = (add, mul)
pair[1](2, 3)  # calls :mul
first, second = pair
second(2, 3)  # calls :mul
chosen = add if shell else sub
chosen(1, 2)  # calls :add, :sub@12 (wrong)
sorted([1], key=partial(add, 1))
