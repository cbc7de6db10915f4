"""Mypy is asked only where the evaluation of a program leaves something open."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jaxtyping_core.programs import inferred
from jaxtyping_core.programs.known import known
from jaxtyping_core.programs.settled import targets
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python
HEAD = "import jax.numpy as jnp\n"
#: Programs of which the evaluation knows all, and others.
SETTLED = {
    "arrays and others": "x = jnp.zeros((3, 4))\nname = 'x'\nn, sizes = 3, [1, 2]\n",
    "a function that is called": "def f(x):\n    y = x @ x.T\n    return y\nz = f(jnp.zeros((3, 4)))\n",
    "a loop": "for i in range(4):\n    x = jnp.ones(3) * i\n",
    "what it declares": "from jaxtyping_core.typing import Float32\nfrom typing import TypeVar\nB = TypeVar('B', bound=int)\n"
    "def f(x: Float32[B]) -> Float32[B]:\n    y = x * 2\n    return y\n",
}
OPEN = {
    "a function that nothing calls": "def f(x):\n    y = x @ x.T\n    return y\n",
    "an unknown value": "x = unknown(3)\n",
    "an unknown size": "n = int(input())\nx = jnp.zeros(n)\n",
    "an array of the layer": "import jaxtyping_core.numpy as lnp\ny = lnp.ones(3)\n",
    "a branch that is not taken": "if False:\n    x = jnp.zeros(3)\n",
    "a call with an array, another with what is unknown": "def f(x):\n    return x\nf(jnp.zeros(3))\nf(unknown)\n",
}


class Asked(Exception):
    """Mypy would have been started."""


@pytest.fixture(autouse=True)
def without_mypy(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: object) -> None:
        raise Asked

    monkeypatch.setattr(inferred._Started, "start", start)
    monkeypatch.setattr("jaxtyping_core.programs.known.PATIENCE", 1_000.0)


@pytest.mark.parametrize("name", SETTLED)
def test_mypy_has_nothing_to_add(tmp_path: Path, name: str) -> None:
    (tmp_path / "program.py").write_text(HEAD + SETTLED[name])
    report = known([tmp_path / "program.py"], Settings())
    assert report.places
    assert not any(place.is_open for place in report.places)


@pytest.mark.parametrize("name", OPEN)
def test_mypy_is_asked(tmp_path: Path, name: str) -> None:
    (tmp_path / "program.py").write_text(HEAD + OPEN[name])
    with pytest.raises(Asked):
        known([tmp_path / "program.py"], Settings())


def test_targets() -> None:
    source = "a = b, (c, [d, *e]) = f()\ng: int\nh: int = 1\nfor i, j in k:\n    l[0] = m.n = 2\ndef o():\n    return p\n"
    lines = source.splitlines()
    names = [lines[line - 1][column] for line, column in targets(ast.parse(source))]
    assert names == ["a", "b", "c", "d", "h", "i", "j", "p"]
