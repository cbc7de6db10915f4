"""file: a generic alias calls what it is an alias of."""

import enum
import types

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_alias", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")
x = types.GenericAlias(getattr(Found, "exec").value, int)(CODE)
