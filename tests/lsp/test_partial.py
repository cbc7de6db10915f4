"""After an edit mypy does not check again what the edit cannot mean, and says what it says of the whole text."""

from __future__ import annotations

import itertools
import os
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from random_edits import edits
from sample_program import program as sample

import mypy_cache
from jaxtyping_core import settings
from jaxtyping_core.lsp import builds
from jaxtyping_core.lsp.builds import Checked, Found, Mypy
from jaxtyping_core.lsp.partial import Part
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs import sources, unsaved

pytestmark = pytest.mark.one_python

EDITS, SEED = int(os.environ.get("RANDOM_EDITS", "2")), int(os.environ.get("RANDOM_SEED", "0"))
PROGRAM = """\
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping_core.typing import Float32

params = {"w": jnp.ones((3, 4))}


def inner(x):
    return x.sum(0)


def outer(x: Float32[2, 3]) -> jax.Array:
    total = inner(x)
    return total + jnp.ones(3)


def alone(n: int) -> jax.Array:
    made = jnp.ones((n, 5))
    return made + jnp.ones((2, 7))


def fill(tree: dict[str, Any]) -> None:
    print(tree)


def twice(n: int) -> int:
    def one(a: int) -> int:
        return a + n

    def one(b: int) -> int:  # which is told with the line of the other
        return b
    return one(n)


class Model:
    def __init__(self, size: int) -> None:
        self.weight = jnp.ones((3, size))

    def __call__(self, x: Float32[2, 3]) -> jax.Array:
        hidden = x @ self.weight
        return hidden


def use(x: Float32[2, 3]) -> jax.Array:
    fill(params)
    last = Model(5)(x) @ params["w"]
    return last
"""
#: Each edit of the program before, and functions that mypy has to look at again.
CHANGES = (
    ("(n, 5)", "(n, 7)", {"alone"}),
    ("def alone", "\n\n\ndef alone", {"twice"}),  # all after it stands elsewhere
    ("(n, 7)", "(n, 5)", {"alone"}),
    ("x.sum(0)", "x.sum(1)", {"inner", "outer"}),
    ("total + jnp.ones(3)", "total.at[0].add(1.0)", {"outer"}),
    ("add(1.0)", "add(2.0)", {"outer"}),
    ("print(tree)", 'tree["w"] = jnp.ones((5, 2))', {"fill", "use", "alone"}),
    ("hidden = x @ self.weight", "hidden = (x @ self.weight).T", {"__call__", "use"}),
    ("jnp.ones((3, size))", "jnp.ones((4, size))", {"__init__", "__call__", "use"}),
    ("class Model:\n", "class Model:\n    scale: float = 2.0\n\n", {"__call__", "use"}),
    (
        "self.weight = jnp",
        "self.other = params\n        self.weight = jnp",
        {"__call__", "use", "alone", "inner"},
    ),
    ("self.other = params", "self.other = {}", {"__call__", "use", "alone", "inner"}),
    ("n: int) -> jax.Array", "n: int, m: float = 2) -> jax.Array", {"alone"}),
    ("def __call__(self, x: Float32[2, 3])", "def __call__(self, x: Float32[2, 4])", {"__call__", "use"}),
    ("m: float = 2", "m: float = fill(params)", {"alone", "inner"}),  # which runs whatever is called
    ("last = Model", "wrong: str = Model", {"use"}),
    ("import jax\n", "import jax\n\n\n", {"twice"}),
    ("last", "other", {"use"}),
    ("    fill(params)", "    if (deep := 3) > 2:\n        fill(params)", {"use", "alone"}),
    ("return other", 'exec("")\n    return other', {"use", "alone"}),
    ("(n, 5)", "(n, 7)", {"alone", "inner"}),  # which may be called by what is executed
)

#: Functions and a class that do something to what others know, though these do not name them.
DOING = """\
import jax
import jax.numpy as jnp

params = {"w": jnp.ones((3, 4))}


def fill(tree: dict[str, jax.Array]) -> None:
    tree["w"] = jnp.ones((5, 2))


def passes() -> None:
    n = 1
    fill(params)
    print(n)


def of_params() -> jax.Array:
    y = params["w"] * 2
    return y


def declares(n: int) -> None:
    xs: list[jax.Array] = [jnp.ones(n)]
    print(xs)


def of_list() -> jax.Array:
    xs = [jnp.ones(3), jnp.ones((4, 5))]
    y = xs[0] * 2
    return y


class Base:
    def __init__(self) -> None:
        self.weight = jnp.ones((3, 4))


class Other(Base):
    def __init__(self) -> None:
        super().__init__()
        self.weight = jnp.ones((3, 5))


def of_object() -> jax.Array:
    y = Base().weight * 2
    return y


def alone(n: int) -> jax.Array:
    y = jnp.ones((3, n)) * 2
    return y
"""
#: Each edit of it before.
DONE = (
    ('params["w"] * 2', 'params["w"] * 3'),
    ("xs[0] * 2", "xs[0] * 3"),
    ("weight * 2", "weight * 3"),
    ("n)) * 2", "n)) * 3"),
    ("        self.weight = jnp.ones((3, 5))\n", "        self.other = jnp.ones((3, 5))\n"),
    ("weight * 3", "weight * 4"),
    ("xs: list[jax.Array] =", "ys = xs ="),
    ("return y\n\n\ndef declares", "return y + declare\n\n\ndef declares"),  # a name that is like another
)


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What has mypy look at a text after others, and at it alone; and the bodies that were left out."""
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nplugins = jaxtyping_core.mypy\nwarn_unused_ignores = true\n")
    mypy_cache.begin(tmp_path / ".mypy_cache")
    file, earlier, left_out = Path("program.py"), Found(), list[str]()
    configured = settings.load(tmp_path, config)
    without = builds.without

    def watched(source: Source, parts: Any, **options: Any) -> str:
        left_out[:] = [name for part in parts for name in names_in(source, part)]
        return without(source, parts, **options)

    monkeypatch.setattr(builds, "without", watched)

    def look(text: str, *, is_show: bool = False) -> tuple[Checked, Checked, list[str]]:
        left_out.clear()
        with unsaved.holding({file.resolve(): text}):
            source = Source(*sources.read(file))
            arguments = (
                file,
                source,
                {str(file): text},
                [str(file)],
                tmp_path,
                config,
                None,
                ["jaxtyping_core.mypy"],
                configured,
            )
            after, again = Mypy(*arguments, earlier), Mypy(*arguments, {})
            said = after.as_show() if is_show else after.as_check()
            names = [*left_out]
            return said, (again.as_show() if is_show else again.as_check()), names

    file.write_text(PROGRAM)
    return look


def test_what_an_edit_cannot_mean_is_not_checked_again(looked: Any) -> None:
    text = PROGRAM
    looked(text)
    for old, new, again in CHANGES:
        assert old in text
        text = text.replace(old, new, 1)
        said, whole, left_out = looked(text)
        assert spelled(said) == spelled(whole), new
        assert not again & {*left_out}, new
        assert left_out or "alone" in again, new


def test_names_that_expressions_bind_are_those_of_the_text_in_the_editor(looked: Any) -> None:
    looked(PROGRAM)  # which the disk has
    said, *_ = looked(PROGRAM + "\n\nn = 3\nprint(n := n + 1)\nmade = jnp.ones(n)\n")
    assert [place for place in said.places if place.name == "made" and place.shape == (3,)] == []


def test_what_others_do_is_known(looked: Any) -> None:
    text, parts = DOING, list[str]()
    looked(text)
    for old, new in DONE:
        assert old in text
        text = text.replace(old, new, 1)
        said, whole, left_out = looked(text)
        assert spelled(said) == spelled(whole), new
        parts += left_out
    assert {"alone", "of_list", "of_params"} <= {*parts}


@pytest.mark.parametrize("is_show", [False, True])
def test_random_edits(looked: Any, is_show: bool) -> None:
    for text in (PROGRAM, sample(100)):
        looked(text, is_show=is_show)
        for edited in itertools.islice(edits(text, random.Random(SEED)), EDITS):
            said, whole, _ = looked(edited, is_show=is_show)
            assert spelled(said) == spelled(whole), edited


def names_in(source: Source, part: Part) -> list[str]:
    """The functions that are left out with a part of a file."""
    return re.findall(r"(?m)^\s*def (\w+)", "\n".join(source.lines[part.start : part.end]))


def spelled(checked: Checked) -> list[list[str]]:
    """What has been found, in some order."""
    return [*map(sorted, (checked.lines, map(str, checked.places), map(str, checked.known)))]
