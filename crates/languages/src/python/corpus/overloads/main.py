from functools import singledispatch, singledispatchmethod
from typing import Union, overload


class Text:
    def upper_case(self):
        return self


class Number:
    def plus(self):
        return self


@overload
def parse(value: str) -> Text: ...
@overload
def parse(value: int) -> Number: ...
def parse(value: Union[str, int]) -> Union[Text, Number]:
    if isinstance(value, str):
        return Text()  # calls :Text
    return Number()  # calls :Number


class Reader:
    @overload
    def read(self, size: int) -> Number: ...

    @overload
    def read(self, size: None = None) -> Text: ...

    def read(self, size=None):
        return Number() if size else Text()  # calls :Number, :Text


@singledispatch
def show(value):
    return "any"


@show.register(int)
def show_int(value):
    return "int"


class Printer:
    @singledispatchmethod
    def out(self, value):
        return self

    @out.register
    def _(self, value: int):
        return self


parse("a").upper_case()  # calls :parse@19, :Text.upper_case
parse(1).plus()  # calls :parse@19, :Number.plus
reader = Reader()  # calls :Reader
reader.read().upper_case()  # calls :Reader.read@32, :Text.upper_case
reader.read(3).plus()  # calls :Reader.read@32, :Number.plus
show("a")  # calls :show
show_int(1)  # calls :show_int
Printer().out(2)  # calls :Printer, :Printer.out
