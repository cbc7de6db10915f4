"""What attributes and names hold is recorded as it was when the function returned."""

from __future__ import annotations

from pathlib import Path

from jaxtyping_core.recording.observed import Array, Cut, Scalar
from jaxtyping_core.recording.store import Place

from .running import facts, recorded, write

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
    (found,) = facts(tmp_path).files.values()
    base, n = Array("float64", (3,), library="numpy"), Scalar("int", 3)
    held = {
        f"{owner}.{name}": values for owner, own in found.attributes.items() for name, values in own.items()
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
    assert found.places == {Place(9, 8, "double"): {base}}
