import native
from engine import Engine, make, version
from native import only_native

native.hash_of(1).digest()  # calls engine.py:make, engine.py:Engine.digest
make(1).digest()  # calls engine.py:make, engine.py:Engine.digest
engine = Engine(2)  # calls engine.py:Engine.__init__
engine.child().digest()  # calls engine.py:Engine.child, engine.py:Engine.digest
version().upper()  # calls engine.py:version
only_native()  # calls native.py:only_native
