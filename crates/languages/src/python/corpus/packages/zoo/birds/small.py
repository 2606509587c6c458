from ..cats import meow
from .. import feeding


def tweet():
    meow()  # calls zoo/cats.py:meow
    return feeding.feed(1)  # calls zoo/feeding.py:feed
