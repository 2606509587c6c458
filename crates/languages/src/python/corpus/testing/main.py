import unittest

from test_cart import TestCart, TestPlain

suite = unittest.TestSuite()
for case in (TestCart, TestPlain):
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(case))
suite.run(unittest.TestResult())
