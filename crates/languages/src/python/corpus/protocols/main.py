import abc
from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable


class Drawable(Protocol):
    def draw(self) -> "Canvas": ...

    def size(self) -> int: ...


@runtime_checkable
class Closable(Protocol):
    def close(self) -> None: ...


class Canvas:
    def fill(self):
        return self


class Circle:
    """Fits the protocol without naming it."""

    def draw(self):
        return Canvas()  # calls :Canvas

    def size(self):
        return 1

    def close(self):
        return None


class Store(ABC):
    def save(self, key):
        self.write(key)  # calls :Store.write
        return self.after()  # calls :Store.after

    @abstractmethod
    def write(self, key): ...

    def after(self):
        return self


class FileStore(Store):
    def write(self, key):
        self.flush()  # calls :FileStore.flush

    def flush(self):
        return None


class MemoryStore(Store):
    def write(self, key):
        return key

    def after(self):
        return super().after()  # calls :Store.after


class Plugin(metaclass=abc.ABCMeta):
    @property
    @abc.abstractmethod
    def store(self) -> Store: ...

    def keep(self):
        self.store.save("a")  # calls :Store.save


class FilePlugin(Plugin):
    @property
    def store(self):
        return FileStore()  # calls :FileStore


def render(shape: Drawable):
    if isinstance(shape, Closable):
        shape.close()  # calls :Closable.close
    return shape.draw().fill()  # calls :Drawable.draw, :Canvas.fill


def keep_all(stores: list[Store]):
    for store in stores:
        store.save("k").after()  # calls :Store.save, :Store.after


def duck(thing):
    return thing.draw().fill()  # calls :Circle.draw (missed), :Canvas.fill


render(Circle())  # calls :render, :Circle
keep_all([FileStore(), MemoryStore()])  # calls :keep_all, :FileStore, :MemoryStore
duck(Circle())  # calls :duck, :Circle
FilePlugin().keep()  # calls :FilePlugin, :Plugin.keep
FileStore().flush()  # calls :FileStore, :FileStore.flush
