"""Data from a network or from files may not be there: where a program catches that, both ways are possible."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
TEXT = """
import numpy as np, jax.numpy as jnp

def load():
    try:
        import {library}
        {lines}
        return images
    except {error}:
        pass
    return np.zeros((1437, 8, 8), np.uint8)

x = jnp.asarray(load())
"""
DATA = {
    "tensorflow_datasets": ("images = tensorflow_datasets.as_numpy(tensorflow_datasets.load('mnist', split='train', batch_size=-1))['image'][..., 0]", (None, None, None)),
    "torchvision": ("images = np.asarray(torchvision.datasets.MNIST('x', download=True).data)", (None, None, None)),
}  # fmt: skip


@pytest.mark.parametrize("error", ["Exception", "(OSError, ImportError)"])
@pytest.mark.parametrize("library", DATA)
def test_both_ways_are_possible(child: Evaluator, tmp_path: Path, library: str, error: str) -> None:
    lines, shape = DATA[library]
    places = evaluate_text(child, tmp_path, TEXT.format(library=library, lines=lines, error=error)).places
    assert {place.name: (place.known.dtype, place.known.shape) for place in places if place.name == "x"} == {
        "x": ("uint8", shape)
    }


HEAD = "import jax.numpy as jnp\nfrom nowhere import unknown\n"
#: Bodies of a function, and the size of what it gives: None where that is not known.
ENDS = {
    "a return": ("    try:\n        unknown()\n        return 3\n    except ValueError:\n        return 4\n", None),
    "a return of what is known": ("    try:\n        return 3\n    except ValueError:\n        return 4\n", 3),
    "a handler that raises": ("    try:\n        unknown()\n        return 3\n    except ValueError:\n        raise\n", 3),
    "no handler": ("    try:\n        unknown()\n        return 3\n    finally:\n        pass\n", 3),
    "an import": ("    try:\n        import elsewhere\n        return 3\n    except ImportError:\n        return 4\n", None),
    "a module of Python's own": ("    try:\n        import json\n        return 3\n    except ImportError:\n        return 4\n", 3),
    "a loop that ends": (
        ("    n = 3\n    for i in range(3):\n        try:\n            unknown(i)\n            break\n"
        "        except ValueError:\n            n = n + 1\n    return n\n"),
        None,
    ),
    "a loop that goes on": (
        ("    n = 3\n    for i in range(3):\n        try:\n            unknown(i)\n            continue\n"
        "        except ValueError:\n            n = n + 1\n    return n\n"),
        None,
    ),
    "what follows": (
        "    try:\n        unknown()\n        return 3\n    except ValueError:\n        pass\n    return 4\n",
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_a_body_that_leaves(child: Evaluator, tmp_path: Path, name: str) -> None:
    body, size = ENDS[name]
    text = HEAD + "def f():\n" + body + "x = jnp.zeros(f())\n"
    places = evaluate_text(child, tmp_path, text).places
    assert [place.known.shape for place in places if place.name == "x"] == [(size,)]


NUMBERS = """
import jax, jax.numpy as jnp

def f():
    for n in (1, 2, 3):
        try:
            q = jnp.ones(n)
            k = {asked}
        except Exception:
            break
    return q

x = {call}
"""


@pytest.mark.parametrize(
    "asked", ["q.sum().item()", "q.tolist()", "int(q[0])", "bool(q.any())", "len(q[q > 0])"]
)
def test_numbers_that_only_the_walk_lacks_raise_no_error(
    child: Evaluator, tmp_path: Path, asked: str
) -> None:
    places = evaluate_text(child, tmp_path, NUMBERS.format(asked=asked, call="f()")).places
    last = [place.known.shape for place in places if place.name == "x"]
    assert last in ([(None,)], [(3,)])


def test_numbers_of_tracers_raise_an_error(child: Evaluator, tmp_path: Path) -> None:
    places = evaluate_text(
        child, tmp_path, NUMBERS.format(asked="q.sum().item()", call="jax.jit(f)()")
    ).places
    assert [place.known.shape for place in places if place.name == "x"] == [(1,)]
