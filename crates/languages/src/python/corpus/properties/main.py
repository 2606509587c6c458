from functools import cached_property


class Engine:
    def start(self):
        return self

    def stop(self):
        return None


class Lazy:
    """A descriptor of our own."""

    def __init__(self, make):
        self.make = make

    def __get__(self, owner, kind=None):
        return self.make(owner)  # calls :Car._make_radio (missed), :Lazy.make@16 (wrong)


class Radio:
    def play(self):
        return "la"


class Car:
    def __init__(self):
        self._engine = Engine()  # calls :Engine
        self._hooks = []

    def _make_radio(self):
        return Radio()  # calls :Radio

    radio = Lazy(_make_radio)  # calls :Lazy.__init__

    @property
    def engine(self):
        return self._engine

    @engine.setter
    def engine(self, value: Engine):
        value.stop()  # calls :Engine.stop
        self._engine = value

    @cached_property
    def spare(self) -> Engine:
        return self.make_spare()  # calls :Car.make_spare

    def make_spare(self):
        return Engine()  # calls :Engine

    def get_main(self):
        return self._engine

    main = property(get_main)

    @property
    def starter(self):
        return self._engine.start

    @property
    def hooks(self):
        return self._hooks


car = Car()  # calls :Car.__init__
car.engine.start().stop()  # calls :Engine.start, :Engine.stop
car.engine = Engine()  # calls :Engine
car.spare.start()  # calls :Engine.start
car.main.stop()  # calls :Engine.stop
car.starter()  # calls :Engine.start (missed), :Car.starter@59 (wrong)
car.radio.play()  # calls :Radio.play
car.hooks.append(1)
getattr(car, "engine").stop()  # calls :Engine.stop (missed)
