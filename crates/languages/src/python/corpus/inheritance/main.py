import base
from base import Counted, Logged, Node


class Leaf(Node):
    def label(self):
        return super().label() + "!"  # calls base.py:Node.label

    def describe(self):
        return Node.describe(self)  # calls base.py:Node.describe


class Deep(Leaf):
    def setup(self):
        super().setup()  # calls base.py:Node.setup
        super(Deep, self).label()  # calls :Leaf.label


class Mixed(Counted, Logged, base.Node):
    def go(self):
        self.bump().write("a")  # calls base.py:Counted.bump, base.py:Logged.write
        self.setup()  # calls base.py:Logged.setup
        return self.label()  # calls base.py:Node.label


class Left(Leaf):
    def who(self):
        return "left"


class Right(Leaf):
    def who(self):
        return "right"

    def only(self):
        return self.who()  # calls :Right.who


class Diamond(Left, Right):
    pass


class Alias(Leaf):
    old_label = Leaf.label
    describe = Leaf.label


def build(kind):
    return kind("x")  # calls base.py:Node.__init__


leaf = Leaf("a")  # calls base.py:Node.__init__
leaf.describe()  # calls :Leaf.describe
leaf.root().label()  # calls base.py:Node.root, :Leaf.label
deep = Deep("d", leaf)  # calls base.py:Node.__init__
deep.root()  # calls base.py:Node.root
deep.describe()  # calls :Leaf.describe
mixed = Mixed("m")  # calls base.py:Counted.__init__
mixed.go()  # calls :Mixed.go
mixed.write("b").bump()  # calls base.py:Logged.write, base.py:Counted.bump
both = Diamond("x")  # calls base.py:Node.__init__
both.who()  # calls :Left.who
both.only()  # calls :Right.only
named = Alias("y")  # calls base.py:Node.__init__
named.old_label()  # calls :Leaf.label
named.describe()  # calls :Leaf.label
build(Leaf)  # calls :build
build(Right)  # calls :build
for node in [leaf, deep]:
    node.label()  # calls :Leaf.label
