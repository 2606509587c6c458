from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    LEAF = 1
    TREE = 2

    def title(self):
        return self.name


@dataclass
class Leaf:
    kind: Kind
    text: "Text"

    def show(self):
        return self.text


class Text:
    def trim(self):
        return self


class Tree:
    __match_args__ = ("left", "right")

    def __init__(self, left: Leaf, right: Leaf):
        self.left = left
        self.right = right

    def depth(self):
        return 1


def walk(node):
    match node:
        case Leaf(kind=kind, text=text):
            node.show().trim()  # calls :Leaf.show, :Text.trim
            kind.title()  # calls :Kind.title
            return text.trim()  # calls :Text.trim
        case Tree(left, Leaf() as right):
            left.show()  # calls :Leaf.show (missed)
            right.show()  # calls :Leaf.show
            return node.depth()  # calls :Tree.depth
        case [Leaf() as first, *rest]:
            return first.show()  # calls :Leaf.show
        case {"leaf": Leaf() as inner}:
            return inner.show()  # calls :Leaf.show
        case str() | int() as plain:
            return other(plain)  # calls :other
        case _:
            return fallback(node)  # calls :fallback


def command(words: list[str]):
    match words:
        case ["go", where]:
            return other(where.upper())  # calls :other
        case ["stop" | "halt"]:
            return fallback(None)  # calls :fallback
        case [name, *_] if accept(name):  # calls :accept
            return other(name)  # calls :other


def by_kind(kind: Kind):
    match kind:
        case Kind.LEAF:
            return kind.title()  # calls :Kind.title
        case Kind.TREE:
            return other(kind)  # calls :other


def other(value):
    return value


def accept(value):
    return True


def fallback(value):
    return None


leaf = Leaf(Kind.LEAF, Text())  # calls :Leaf, :Text
walk(leaf)  # calls :walk
walk(Tree(leaf, leaf))  # calls :walk, :Tree.__init__
walk([leaf])  # calls :walk
walk({"leaf": leaf})  # calls :walk
walk("a")  # calls :walk
walk(2.0)  # calls :walk
command(["go", "x"])  # calls :command
command(["halt"])  # calls :command
command(["z"])  # calls :command
by_kind(Kind.LEAF)  # calls :by_kind
by_kind(Kind.TREE)  # calls :by_kind
Kind(1).title()  # calls :Kind, :Kind.title
Kind["LEAF"].title()  # calls :Kind.title
