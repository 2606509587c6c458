import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tools import Heavy, helper

_HOMES = {"Heavy": ".tools", "helper": ".tools"}


def __getattr__(name):
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name], __name__), name)
    raise AttributeError(name)


def __dir__():
    return sorted(_HOMES)


def direct():
    return 1
