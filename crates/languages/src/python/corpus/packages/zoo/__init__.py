"""The package's own names, and what it hands on."""

from . import helpers
from .birds import Owl
from .feeding import feed
from .gates import *
from .gates import close_gate as renamed

__all__ = ["feed", "open_gate"]
