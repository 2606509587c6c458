from engine import make as hash_of


def only_native():
    return hash_of(2)  # calls engine.py:make
