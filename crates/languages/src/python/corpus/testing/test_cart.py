import unittest

from cart import Cart, Item
from helpers import CartCase, make_cart


class TestCart(CartCase):
    def setUp(self):
        super().setUp()  # calls helpers.py:CartCase.setUp
        self.item = Item("x")  # calls cart.py:Item.__init__

    def test_add(self):
        self.cart.add(self.item)  # calls cart.py:Cart.add
        self.assert_total(1)  # calls helpers.py:CartCase.assert_total
        self.assertEqual(self.cart.total(), 1)  # calls cart.py:Cart.total

    def test_item(self):
        self.assertTrue(self.item.label())  # calls cart.py:Item.label
        with self.assertRaises(KeyError):
            self.cart.find("nothing")  # calls cart.py:Cart.find


class TestPlain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = make_cart()  # calls helpers.py:make_cart

    def test_shared(self):
        self.shared.total()  # calls cart.py:Cart.total

    def tearDown(self):
        self.shared.clear()  # calls cart.py:Cart.clear
