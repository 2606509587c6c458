from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Generic, Optional, TypeVar, Union

if TYPE_CHECKING:
    from orders import Order

T = TypeVar("T")
K = TypeVar("K", bound="Product")


class Product:
    def price(self) -> int:
        return 1

    def same(self: K) -> K:
        return self


class Book(Product):
    def pages(self) -> int:
        return 2


class Shelf(Generic[T]):
    def __init__(self, first: T) -> None:
        self.items: list[T] = [first]

    def first(self) -> T:
        return self.items[0]

    def find(self, test: Callable[[T], bool]) -> Optional[T]:
        for item in self.items:
            if test(item):
                return item
        return None

    def all(self) -> list[T]:
        return self.items


class Shop:
    shelves: dict[str, Shelf[Book]]
    last: Order | None = None

    def __init__(self):
        self.shelves = {"a": Shelf(Book())}  # calls :Shelf.__init__, :Book

    def buy(self, order: Order) -> Order:
        self.last = order
        order.add(self.shelves["a"].first())  # calls orders.py:Order.add, :Shelf.first
        return order.closed()  # calls orders.py:Order.closed

    def repeat(self):
        if self.last is not None:
            return self.last.closed()  # calls orders.py:Order.closed


def cheapest(items: list[K]) -> K:
    items[0].price()  # calls :Product.price
    return items[0]


def either(thing: Union[Book, Order]):
    return thing.price()  # calls :Product.price, orders.py:Order.price
