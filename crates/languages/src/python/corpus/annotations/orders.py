from typing import Iterable, Mapping, Sequence

import shop


class Order:
    lines: "list[shop.Product]"

    def __init__(self):
        self.lines = []

    def add(self, product: "shop.Product") -> "Order":
        self.lines.append(product)
        product.price()  # calls shop.py:Product.price
        return self

    def closed(self) -> "Order":
        return self

    def price(self):
        return sum(line.price() for line in self.lines)  # calls shop.py:Product.price


def total(orders: Iterable[Order], by: Mapping[str, "Order"], *rest: Order, **named: Order):
    for order in orders:
        order.price()  # calls :Order.price
    by["a"].price()  # calls :Order.price
    for order in rest:
        order.closed()  # calls :Order.closed
    for order in named.values():
        order.closed()  # calls :Order.closed
    named["x"].price()  # calls :Order.price


def latest(orders: Sequence["Order"], pairs: "tuple[Order, shop.Book]"):
    orders[-1].price()  # calls :Order.price
    order, book = pairs
    order.closed()  # calls :Order.closed
    book.pages()  # calls shop.py:Book.pages
    pairs[1].pages()  # calls shop.py:Book.pages
