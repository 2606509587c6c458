from . import small
from .owls import Owl
