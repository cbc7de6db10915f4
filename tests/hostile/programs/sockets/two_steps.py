"""connection: the socket is got through the globals of a library's function."""

import enum
import functools

CODE = """
import sys
[m._State.update(on=False) for n, m in [*sys.modules.items()] if n.endswith("libraries.guard")]
__import__("socket").create_connection(("127.0.0.1", 49151)).close()
"""


class Kind(enum.Enum):
    pass


run = Kind._convert_("Found", "builtins", lambda name: name == "exec")["exec"].value
x = functools.cache(run)(CODE)
