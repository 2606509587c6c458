import enum
from enum import Enum, Flag, IntEnum, auto


class Color(Enum):
    RED = 1
    GREEN = 2

    @property
    def paint(self):
        return Paint(self)  # calls :Paint.__init__

    def mix(self, other):
        return Paint(other)  # calls :Paint.__init__

    @classmethod
    def default(cls):
        return cls.RED


class Paint:
    def __init__(self, color: "Color"):
        self.color = color

    def apply(self):
        return self.color.mix(Color.RED)  # calls :Color.mix


class Level(IntEnum):
    LOW = auto()
    HIGH = auto()

    def louder(self):
        return Level.HIGH


class Access(Flag):
    READ = enum.auto()
    WRITE = enum.auto()

    def check(self):
        return self


class Operation(Enum):
    PLUS = "+"
    MINUS = "-"

    def __call__(self, a, b):
        return apply(self, a, b)  # calls :apply


def apply(operation, a, b):
    return TABLE[operation](a, b)  # calls :plus, :minus


def plus(a, b):
    return a + b


def minus(a, b):
    return a - b


TABLE = {Operation.PLUS: plus, Operation.MINUS: minus}


class Planet(Enum):
    EARTH = (1, 2)
    MARS = (3, 4)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    def gravity(self):
        return self.mass / self.radius


Color.RED.mix(Color.GREEN).apply()  # calls :Color.mix, :Paint.apply
Color(1).mix(Color.RED)  # calls :Color, :Color.mix
Color["RED"].paint.apply()  # calls :Paint.apply
Color.default().mix(Color.RED)  # calls :Color.default, :Color.mix
for color in Color:
    color.mix(color)  # calls :Color.mix
list(Color)[0].mix(Color.RED)  # calls :Color.mix
Level.LOW.louder().louder()  # calls :Level.louder
(Access.READ | Access.WRITE).check()  # calls :Access.check
Operation.PLUS(1, 2)  # calls :Operation.__call__
Operation.MINUS(1, 2)  # calls :Operation.__call__
Planet.EARTH.gravity()  # calls :Planet.gravity
Color.RED.name.lower()
