"""Answers about a program's functions are kept over edits of what they do not reach, and of nothing else."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtyping_core.domain.values import Array, Own
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import Answer, request
from jaxtyping_core.programs.functions import Sources, sources_of

pytestmark = pytest.mark.one_python
#: Every definition has a dtype of its own, so that an edit shows wherever it is reached.
MODULES = {
    "base": """
import jax.numpy as jnp
MADE = {}
BY_NAME = []
def registered(f):
    MADE[f.__name__] = f
    return f
class Base:
    def __init_subclass__(cls):
        BY_NAME.append(cls)
    def forward(self, x):
        return x.astype("float16")
class Plain:
    def scale(self, x):
        return self.factor(x)
    def factor(self, x):
        return x.astype("int8")
def twice(x):
    return x.astype("int16")
def of_default(x):
    return x.astype("uint8")
""",
    "parts": """
import jax.numpy as jnp
from base import Base, Plain, registered, twice as doubled
@registered
def kept(x):
    return x.astype("uint16")
class Sub(Base):
    def forward(self, x):
        return x.astype("bfloat16")
class Narrow(Plain):
    def factor(self, x):
        return x.astype("uint32")
class Patched(Plain):
    pass
def by_text(x):
    return x.astype("int32")
def of_attribute(x):
    return x.astype("complex64")
def of_name(x):
    return x.astype("uint4")
def unused(x):
    return doubled(x) + 2
""",
    "main": """
import base
import parts
from base import MADE, BY_NAME, of_default
from parts import Narrow, Patched, doubled
TABLE = {"a": parts.by_text}
Patched.other = parts.of_attribute
def plain(x):
    return x + 1
def aliased(x):
    return doubled(x)
def looked_up(x):
    return getattr(parts, "by_text")(x)
def looked_up_later(x, name="of_" + "name"):
    return getattr(parts, name)(x)
def from_table(x):
    return TABLE["a"](x)
def from_registry(x):
    return MADE["kept"](x)
def of_subclass(x):
    return BY_NAME[0]().forward(x)
def overridden(x):
    return Narrow().scale(x)
def patched(x):
    return Patched().other(x)
def with_default(x, f=of_default):
    return f(x)
def within(x):
    def inner(y):
        return plain(y)
    return inner(x)
""",
}
CALLS = (
    *(
        "plain",
        "aliased",
        "looked_up",
        "looked_up_later",
        "from_table",
        "from_registry",
        "of_subclass",
        "overridden",
    ),
    *("patched", "with_default", "within"),
)
#: What a program changes after it was made is not known.
OPEN = {"from_registry", "of_subclass", "patched"}
DTYPE = re.compile(r'x\.astype\("\w+"\)|x \+ 1')


@pytest.fixture(scope="module")
def child() -> Iterator[Evaluator]:
    child = Evaluator(sys.executable, arguments=("functions",))
    yield child
    child.close()


def test_edits_of_each_definition(child: Evaluator, tmp_path: Path) -> None:
    before = {name: _answer(child, _written(tmp_path, MODULES), tmp_path, name) for name in CALLS}
    known = {
        name
        for name, (_, answer) in before.items()
        if isinstance(answer.result, Array) and answer.result.dtype
    }
    assert {*CALLS} - known == OPEN
    kept = changed = 0
    for module, text in MODULES.items():
        for place in DTYPE.finditer(text):
            edited = (
                text[: place.start()]
                + 'astype("float8_e5m2")'.replace("astype", "astype")
                + text[place.end() :]
            )
            if place[0] == "x + 1":
                edited = f'{text[: place.start()]}x.astype("float8_e5m2"){text[place.end() :]}'
            sources = _written(tmp_path, {**MODULES, module: edited})
            for name, (reached, answer) in before.items():
                now_reached, now = _answer(child, sources, tmp_path, name)
                same = reached == now_reached
                assert now.result == answer.result or not same, (module, place[0], name)
                kept += same
                changed += now.result != answer.result
    # Each call that is known reaches one of the places at least; and answers outlast edits.
    assert changed >= len(CALLS) - len(OPEN)
    assert kept > len(CALLS)


def _written(folder: Path, modules: dict[str, str]) -> Sources:
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    sources = sources_of([folder / "main.py"], None, ["jax"])
    assert sources is not None
    return sources


def _answer(child: Evaluator, sources: Sources, folder: Path, name: str) -> tuple[str, Answer]:
    """What of the program a call of a function may reach, and what the child says of it, whatever was asked before."""
    own = Own(sources.names[(folder / "main.py").resolve()], name)
    message = {
        **request("value", (own, Array.of("float32", False, (3,))), {}, x64=False, promotion="standard"),
        "of": sources.digest,
        "seconds": 20,
    }
    about = sources.about(own)
    return about["reached"], child.ask(message, 60, {**about, "reached": sources.digest})
