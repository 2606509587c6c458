class Shape:
    made = 0

    def __init__(self, size):
        self.size = size

    @classmethod
    def unit(cls):
        cls.count()  # calls :Shape.count
        return cls(1)  # calls :Shape.__init__

    @classmethod
    def count(cls):
        cls.made += 1
        return cls

    @staticmethod
    def check(size):
        return Shape.limit(size)  # calls :Shape.limit

    @staticmethod
    def limit(size):
        return min(size, 10)

    def copy(self):
        self.check(self.size)  # calls :Shape.check
        return type(self)(self.size)  # calls :Shape.__init__

    def twin(self):
        return self.__class__(self.size)  # calls :Shape.__init__

    def area(self):
        return self.size


class Square(Shape):
    @classmethod
    def unit(cls):
        base = super().unit()  # calls :Shape.unit
        return base

    @staticmethod
    def limit(size):
        return size

    def area(self):
        return self.size * self.size

    def _build(size):
        return Square(size)  # calls :Shape.__init__

    build = staticmethod(_build)
    ten = classmethod(lambda cls: cls(10))  # calls :Shape.__init__ (missed)


class Point:
    def __new__(cls, x):
        return super().__new__(cls)

    def at(self):
        return 1


Shape.unit().area()  # calls :Shape.unit, :Shape.area
square = Square.unit()  # calls :Square.unit
square.area()  # calls :Square.area
square.copy().area()  # calls :Shape.copy, :Square.area (missed), :Shape.area@32 (wrong)
square.twin().area()  # calls :Shape.twin, :Square.area (missed), :Shape.area@32 (wrong)
Square.count().unit()  # calls :Shape.count, :Square.unit (missed), :Shape.unit@8 (wrong)
Shape.check(3)  # calls :Shape.check
Square(2).check(3)  # calls :Shape.__init__, :Shape.check
Square.build(3).area()  # calls :Square._build, :Square.area
Square.ten().area()  # calls :Square.area (missed), :Square.ten@53 (wrong)
Shape.area(square)  # calls :Shape.area
make = Square.unit
make().area()  # calls :Square.unit, :Square.area
Point(1).at()  # calls :Point.__new__, :Point.at
kinds = {"a": Shape, "b": Square}
kinds["a"](1)  # calls :Shape.__init__
