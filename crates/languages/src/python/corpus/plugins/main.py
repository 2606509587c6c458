"""Registries, visitors and events: what is called is chosen while the program runs."""

import shapes
from events import Bus, on
from shapes import Circle, Square


class Visitor:
    def visit(self, node):
        method = getattr(self, "visit_" + type(node).__name__.lower(), self.generic)
        return method(node)  # calls :Areas.visit_circle (missed), :Visitor.generic

    def generic(self, node):
        return 0


class Areas(Visitor):
    def visit_circle(self, node: Circle):
        return node.area()  # calls shapes.py:Circle.area


@on("saved")  # calls events.py:on
def saved(event):
    return event


class Window:
    def __init__(self, bus: Bus):
        self.bus = bus
        bus.listen("open", self.opened)  # calls events.py:Bus.listen
        bus.listen("open", self._closed)  # calls events.py:Bus.listen

    def opened(self, event):
        return self.bus.last()  # calls events.py:Bus.last

    def _closed(self, event):
        return None


bus = Bus()  # calls events.py:Bus.__init__
Window(bus)  # calls :Window.__init__
bus.emit("open")  # calls events.py:Bus.emit
bus.emit_decorated("saved")  # calls events.py:Bus.emit_decorated
areas = Areas()  # calls :Areas
areas.visit(Circle())  # calls :Visitor.visit, shapes.py:Circle
areas.visit(Square())  # calls :Visitor.visit, shapes.py:Square
shapes.create("circle").area()  # calls shapes.py:create, shapes.py:Circle.area (missed)
for kind in shapes.KINDS.values():
    kind().area()  # calls shapes.py:Circle (missed), shapes.py:Square (missed), shapes.py:Circle.area (missed), shapes.py:Square.area (missed)
