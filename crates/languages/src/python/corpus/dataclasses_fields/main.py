from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, Optional, TypedDict


@dataclass
class Address:
    street: str
    tags: list[Tag] = field(default_factory=list)

    def line(self):
        return self.street.upper()


class Tag:
    def show(self):
        return "tag"


def default_tags():
    return [Tag()]  # calls :Tag


@dataclass
class Person:
    name: str
    home: Address
    work: Optional[Address] = None
    extra: dict[str, Tag] = field(default_factory=dict)
    registry: ClassVar[list[Person]] = []

    def __post_init__(self):
        self.check()  # calls :Person.check

    def check(self):
        return self.home.line()  # calls :Address.line

    def moved(self, street):
        return replace(self, home=Address(street))  # calls :Address

    @classmethod
    def of(cls, name):
        return cls(name, Address("s", default_tags()))  # calls :Person, :Address, :default_tags


@dataclass
class Employee(Person):
    boss: Employee | None = None

    def chain(self):
        return self.boss.check() if self.boss else self.check()  # calls :Person.check


class Pair(NamedTuple):
    left: Tag
    right: Address

    def both(self):
        return self.left.show(), self.right.line()  # calls :Tag.show, :Address.line


Plain = namedtuple("Plain", ["a", "b"])


class Named(namedtuple("NamedBase", "x y")):
    def total(self):
        return self.x + self.y


class Options(TypedDict):
    tag: Tag


person = Person.of("a")  # calls :Person.of
person.home.line()  # calls :Address.line
person.home.tags[0].show()  # calls :Tag.show
for tag in person.home.tags:
    tag.show()  # calls :Tag.show
person.moved("t").check()  # calls :Person.moved, :Person.check
if person.work:
    person.work.line()  # calls :Address.line
for person_two in Person.registry:
    person_two.check()  # calls :Person.check
pair = Pair(Tag(), Address("x"))  # calls :Pair, :Tag, :Address
pair.both()  # calls :Pair.both
pair.left.show()  # calls :Tag.show
left, right = pair
left.show()  # calls :Tag.show
right.line()  # calls :Address.line
plain = Plain(Tag(), 2)  # calls :Tag, :Plain@64 (wrong)
plain.a.show()  # calls :Tag.show
Named(1, 2).total()  # calls :Named, :Named.total
options: Options = {"tag": Tag()}  # calls :Tag
options["tag"].show()  # calls :Tag.show
Named(1, 2)._replace(x=3).total()  # calls :Named, :Named.total (missed)
