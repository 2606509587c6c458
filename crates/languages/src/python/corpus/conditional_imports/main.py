import sys

try:
    from fast_missing import encode
except ImportError:
    from slow import encode

try:
    import ujson_missing as json
except ImportError:
    import slow as json

if sys.version_info >= (3, 0):
    from modern import decode
else:
    from ancient import decode

try:
    import numpy_missing
except ImportError:
    numpy_missing = None


def late():
    import slow

    return slow.encode(1)  # calls slow.py:encode


def guarded():
    if numpy_missing is not None:
        return numpy_missing.array([])


if sys.platform == "no such platform":

    def platform():
        return 1

else:

    def platform():
        return 2


encode(1)  # calls slow.py:encode
json.encode(2)  # calls slow.py:encode
decode(1)  # calls modern.py:decode
late()  # calls :late
guarded()  # calls :guarded
platform()  # calls :platform@42, :platform@37 (wrong)
module = __import__("slow")
module.encode(1)  # calls slow.py:encode (missed)
import importlib

importlib.import_module("modern").decode(2)  # calls modern.py:decode (missed)
