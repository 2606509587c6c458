import zoo
import zoo.birds.small as small
import zoo.cats
from zoo import *
from zoo import birds, feed as give
from zoo.birds import Owl
from zoo.helpers import *

zoo.feed(1)  # calls zoo/feeding.py:feed
give(2)  # calls zoo/feeding.py:feed
feed(3)  # calls zoo/feeding.py:feed
zoo.cats.meow()  # calls zoo/cats.py:meow
small.tweet()  # calls zoo/birds/small.py:tweet
birds.small.tweet()  # calls zoo/birds/small.py:tweet
birds.Owl().hoot()  # calls zoo/birds/owls.py:Owl, zoo/birds/owls.py:Owl.hoot
Owl().hoot()  # calls zoo/birds/owls.py:Owl, zoo/birds/owls.py:Owl.hoot
zoo.Owl().hoot()  # calls zoo/birds/owls.py:Owl, zoo/birds/owls.py:Owl.hoot
open_gate()  # calls zoo/gates.py:open_gate
shown()  # calls zoo/helpers.py:shown
zoo.helpers._hidden()  # calls zoo/helpers.py:_hidden
zoo.renamed()  # calls zoo/gates.py:close_gate
try:
    _hidden()
except NameError:
    pass
try:
    not_listed()
except NameError:
    pass
