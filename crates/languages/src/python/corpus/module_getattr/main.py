import lazy
import settings
from lazy import Heavy, helper

lazy.helper()  # calls lazy/tools.py:helper
helper()  # calls lazy/tools.py:helper
Heavy().lift()  # calls lazy/tools.py:Heavy, lazy/tools.py:Heavy.lift
lazy.direct()  # calls lazy/__init__.py:direct
settings.config.get("a")  # calls settings.py:Config.get
settings.reload().get("b")  # calls settings.py:reload, settings.py:Config.get
try:
    lazy.nowhere()
except AttributeError:
    pass
