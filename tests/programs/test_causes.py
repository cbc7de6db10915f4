"""Notes say where what is unknown comes into a program, and how much follows from that."""

from __future__ import annotations

import pytest

from jaxtyping_core.engine import session

HEAD = "import jax\nimport jax.numpy as jnp\nimport pickle\nimport subprocess\nfrom nowhere import config\n"
LIBRARY = "import elsewhere\n\ndef weights():\n    return elsewhere.read()\n"


def told(text: str) -> list[str]:
    """The notes on a program, with lines that count from its first one after the head."""
    modules = {
        "program": {"path": "/program.py", "text": HEAD + text},
        "library": {"path": "/library.py", "text": LIBRARY},
    }
    answer = session.evaluate({"entries": ["program"], "modules": modules, "trust": ["jax", "numpy"]})
    return [note.partition("; ")[0] for note in answer["notes"]]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        pytest.param(
            "x = jnp.asarray(config.x)\ny = x + 1\nz = jnp.ones(3)\n",
            ["/program.py:5: nowhere is unknown: 2 places follow from it"],
            id="an import",
        ),
        pytest.param(
            "from jax.experimental.array_serialization import serialization as s\nx = jnp.ones(3) * s.load()\n",
            [
                "/program.py:6: jax.experimental.array_serialization.serialization is unknown: 1 place follows from it",
                "nowhere is not a trusted package: its results are unknown",
                "jax.experimental.array_serialization is not evaluated: its results are unknown",
            ],
            id="a part of a trusted package that is not evaluated",
        ),
        pytest.param(
            "def f(v):\n    w = v * 2\n    return w\n\nx = f(config.x)\n",
            ["/program.py:5: nowhere is unknown: 3 places follow from it"],
            id="into a function of the program, and out of it",
        ),
        pytest.param(
            "class A:\n    def __init__(self, w):\n        self.w = w\n\n"
            "a = A(config.w)\nx = jnp.ones(3) * a.w\n",
            ["/program.py:5: nowhere is unknown: 1 place follows from it"],
            id="through an attribute",
        ),
        pytest.param(
            "import dataclasses\n\n@dataclasses.dataclass\nclass A:\n    n: int\n    w: object\n\n"
            "a = A(3, config.w)\nx = jnp.ones(3) * a.w\n",
            ["/program.py:5: nowhere is unknown: 1 place follows from it"],
            id="through a field",
        ),
        pytest.param(
            "import library\nx = jnp.asarray(library.weights())\n",
            [
                "/library.py:1: elsewhere is unknown: 2 places follow from it",
                "nowhere is not a trusted package: its results are unknown",
            ],
            id="another module",
        ),
        pytest.param(
            "with open('x', 'rb') as file:\n    data = pickle.load(file)\nx = jnp.asarray(data)\n",
            [
                "/program.py:7: `pickle.load(file)` is unknown: 2 places follow from it",
                "nowhere is not a trusted package: its results are unknown",
                "open for bytes or to write is not evaluated: its result is unknown",
            ],
            id="Python's own: nobody can trust more of it",
        ),
        pytest.param(
            "def f(a):\n    b = jnp.sum(a)\n    return b\n",
            [
                "/program.py:6: nothing calls f: 2 places follow from it",
                "nowhere is not a trusted package: its results are unknown",
            ],
            id="a function that nothing calls",
        ),
        pytest.param(
            "x = jnp.asarray(config.x)\nfor a in pickle.loads(b''):\n    b = jnp.asarray(a)\n    c = b + 1\n",
            [
                "/program.py:7: `pickle.loads(b'')` is unknown: 3 places follow from it",
                "/program.py:5: nowhere is unknown: 1 place follows from it",
            ],
            id="what costs most comes first",
        ),
        pytest.param(
            "n = int(subprocess.check_output('ls'))\nx = jnp.ones(n)\n",
            ["nowhere is not a trusted package: its results are unknown"],
            id="a size is no loss",
        ),
    ],
)
def test_causes(text: str, notes: list[str]) -> None:
    assert told(text) == notes
