import unittest

from cart import Cart


class CartCase(unittest.TestCase):
    def setUp(self):
        self.cart = make_cart()  # calls :make_cart

    def assert_total(self, n):
        self.assertEqual(self.cart.total(), n)  # calls cart.py:Cart.total


def make_cart():
    return Cart()  # calls cart.py:Cart.__init__
