"""What attributes and names hold is recorded as it was when the function returned."""

from __future__ import annotations

from pathlib import Path

from jaxtyping_core.recording.observed import Array, Cut, Scalar
from jaxtyping_core.recording.store import Place

from .running import calls, facts, recorded, write

PROGRAM = """
import collections, dataclasses
import numpy as np

class Base:
    def __init__(self, n):
        self.base = np.ones(n)
        setattr(self, "hidden", n)
        double = self.base * 2
        for i in range(n):
            looped = i
        try:
            missed = unknown
        except NameError:
            pass

    def step(self):
        self.count = getattr(self, "count", -1) + 1

class Derived(Base):
    __slots__ = ("slot",)
    def __init__(self):
        super().__init__(3)
        self.slot = None

    @property
    def value(self):
        self.asked = 1.0
        return self.base

@dataclasses.dataclass(frozen=True)
class Data:
    x: object
    def __post_init__(self):
        object.__setattr__(self, "y", self.x)

Pair = collections.namedtuple("Pair", "a b")
derived = Derived()
derived.value
for _ in range(200):
    derived.step()
for n in range(100):
    Data(np.ones(n))
"""


def test_what_is_held(tmp_path: Path) -> None:
    write(tmp_path, main=PROGRAM)
    assert recorded(tmp_path, "main.py", options=("--places",)).status == 0
    (stored,) = facts(tmp_path).files.values()
    base, n = Array("float64", (3,), library="numpy"), Scalar("int", 3)
    held = {
        f"{owner}.{name}": values for owner, own in stored.attributes.items() for name, values in own.items()
    }
    assert held.pop("Base.count") == {Scalar("int", n) for n in range(17)} | {Scalar("int")}
    for name in ("Data.x", "Data.y"):
        assert len(held[name]) == 65
        assert Cut() in held.pop(name)
    assert held == {
        "Base.base": {base},
        "Base.hidden": {n},
        "Derived.base": {base},
        "Derived.hidden": {n},
        "Derived.slot": {Scalar("None")},
        "Derived.asked": {Scalar("float")},
    }
    once = {"n", "derived", "Pair"}  # by the module itself, outside of loops
    assert {place: held for place, held in stored.places.items() if place.name not in once} == {
        Place(9, 8, "double"): {base}
    }


MODULE = """
import numpy as np
x = np.ones(3)
y = x
y = 1
def f():
    global z
    z = 1
z = 2
if f:
    w = x.astype("float32")
exec(compile("x = 'no'\\nv = 1\\n", __file__, "exec"), {})
"""


def test_what_names_of_a_module_hold_that_it_binds_once(tmp_path: Path) -> None:
    write(tmp_path, main=MODULE + "import starred\n", starred="a = 1.0\nfrom os import *\n")
    ended = recorded(tmp_path, "main.py", options=("--places",))
    assert (ended.status, ended.stdout) == (0, "")
    files = facts(tmp_path).files
    assert files[tmp_path / "main.py"].places == {
        Place(3, 0, "x"): {Array("float64", (3,), library="numpy")},
        Place(11, 4, "w"): {Array("float32", (3,), library="numpy")},
    }
    assert tmp_path / "starred.py" not in files or not files[tmp_path / "starred.py"].places
    assert calls(tmp_path, "main.py") == {}


LOCALS = """


class Kept:
    def __init__(self, a):
        self.known = locals()

print(sorted(Kept(1).known))
"""


def test_what_a_method_has_of_its_variables_is_not_emptied(tmp_path: Path) -> None:
    write(tmp_path, main=LOCALS)
    assert recorded(tmp_path, "main.py").stdout == "['a', 'self']\n"
