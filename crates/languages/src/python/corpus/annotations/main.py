from typing import Any, Final, Literal, Type, cast

from orders import Order, latest, total
from shop import Book, Product, Shelf, Shop, cheapest, either

Orders = list[Order]
LIMIT: Final = 3


def make(kind: Type[Book]):
    return kind().pages()  # calls shop.py:Book, shop.py:Book.pages


def anything(value: Any, mode: Literal["a", "b"]):
    book = cast(Book, value)
    book.pages()  # calls shop.py:Book.pages
    checked: Product = value
    checked.price()  # calls shop.py:Product.price


def all_of(orders: Orders, book: "Book" = None):
    for order in orders:
        order.price()  # calls orders.py:Order.price (missed)
    if book:
        book.same().pages()  # calls shop.py:Product.same, shop.py:Book.pages (missed)


shop = Shop()  # calls shop.py:Shop.__init__
order = shop.buy(Order())  # calls shop.py:Shop.buy, orders.py:Order.__init__
order.price()  # calls orders.py:Order.price
shop.repeat().price()  # calls shop.py:Shop.repeat, orders.py:Order.price
shelf = Shelf(Book())  # calls shop.py:Shelf.__init__, shop.py:Book
shelf.first().pages()  # calls shop.py:Shelf.first, shop.py:Book.pages
found = shelf.find(lambda b: b.pages() > 1)  # calls shop.py:Shelf.find, shop.py:Book.pages
found.pages()  # calls shop.py:Book.pages
for book in shelf.all():  # calls shop.py:Shelf.all
    book.pages()  # calls shop.py:Book.pages
cheapest([Book()]).pages()  # calls shop.py:cheapest, shop.py:Book, shop.py:Book.pages
either(order)  # calls shop.py:either
either(Book())  # calls shop.py:either, shop.py:Book
total([order], {"a": order}, order, x=order)  # calls orders.py:total
latest([order], (order, Book()))  # calls orders.py:latest, shop.py:Book
make(Book)  # calls :make
anything(Book(), "a")  # calls :anything, shop.py:Book
all_of([order], Book())  # calls :all_of, shop.py:Book
