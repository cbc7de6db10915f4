"""Where one way raises an error, the program goes on from those that have returned, or left a loop."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = "import sys\nimport jax.numpy as jnp\nname = sys.argv[1]\n"
#: Programs, and the dtype and shape of `x`; `z` follows.
KNOWN = {
    "one of several": (
        (
            "def chosen(name):\n    if name == 'a':\n        return jnp.ones((2, 3))\n    if name == 'b':\n"
            "        return jnp.ones((2, 4))\n    raise ValueError(name)\nx = chosen(name)\n"
        ),
        ("float32", (2, None)),
    ),
    "in a loop": (
        (
            "def chosen(name):\n    for each in ('a', 'b'):\n        if each == name:\n            return jnp.ones((2, 3))\n"
            "    raise KeyError(name)\nx = chosen(name)\n"
        ),
        ("float32", (2, 3)),
    ),
    "the else of a loop": (
        "for each in ('a', 'b'):\n    if each == name:\n        break\nelse:\n    raise KeyError(name)\nx = jnp.ones(5)\n",
        ("float32", (5,)),
    ),
    "the else of a loop returns": (
        (
            "def chosen(name):\n    for each in ('a', 'b'):\n        if each == name:\n            break\n"
            "    else:\n        return jnp.ones((2, 6))\n    return jnp.ones((2, 5))\nx = chosen(name)\n"
        ),
        ("float32", (2, None)),
    ),
    "a loop that is left": (
        "while True:\n    if name == 'a':\n        break\n    raise KeyError(name)\nx = jnp.ones(5)\n",
        ("float32", (5,)),
    ),
    "a round that goes on": (
        "for each in ('a', 'b'):\n    if each == name:\n        continue\n    raise KeyError(name)\nx = jnp.ones(5)\n",
        ("float32", (5,)),
    ),
    "a loop of no round": (
        "for each in sys.argv[3:]:\n    raise KeyError(each)\nx = jnp.ones(5)\n",
        ("float32", (5,)),
    ),
    "a handler": (
        (
            "def chosen(name):\n    if name == 'a':\n        return jnp.ones(3)\n    raise ValueError(name)\n"
            "try:\n    y = chosen(name)\nexcept ValueError:\n    y = jnp.ones(4)\nx = y\n"
        ),
        ("float32", (None,)),
    ),
    "a handler of one side": (
        (
            "def chosen(name):\n    try:\n        if name == 'a':\n            return jnp.ones(3)\n        else:\n"
            "            raise ValueError(name)\n    except ValueError:\n        return jnp.ones(4)\nx = chosen(name)\n"
        ),
        ("float32", (None,)),
    ),
    "what a side has changed": (
        (
            "sizes = []\ntry:\n    if name == 'a':\n        sizes.append(1)\n        raise ValueError(name)\n"
            "except ValueError:\n    pass\nx = jnp.ones(len(sizes))\n"
        ),
        ("float32", (None,)),
    ),
    "what was changed": (
        (
            "sizes = []\ndef chosen(name):\n    if name == 'a':\n        return 3\n    sizes.append(1)\n    raise ValueError(name)\n"
            "try:\n    chosen(name)\nexcept ValueError:\n    pass\nx = jnp.ones(len(sizes))\n"
        ),
        ("float32", (None,)),
    ),
}
#: Programs that surely end before `x`.
ENDED = {
    "no way returns": "def never(name):\n    if name == 'a':\n        raise KeyError(name)\n    raise ValueError(name)\nnever(name)\n",
    "the first round": "for each in ('a', 'b'):\n    raise KeyError(each)\n",
    "an else": "for each in ('a', 'b'):\n    pass\nelse:\n    raise KeyError(name)\n",
}


@pytest.mark.parametrize("case", KNOWN)
def test_other_ways_go_on(child: Evaluator, tmp_path: Path, case: str) -> None:
    text, known = KNOWN[case]
    answer = evaluate_text(child, tmp_path, f"{HEAD}{text}z = jnp.ones(7)\n")
    places = {place.name: place.known for place in answer.places}
    assert (places["x"].dtype, places["x"].shape) == known
    assert places["z"].shape == (7,)
    assert not answer.refusals


@pytest.mark.parametrize("case", ENDED)
def test_the_program_ends_where_all_ways_do(child: Evaluator, tmp_path: Path, case: str) -> None:
    answer = evaluate_text(child, tmp_path, f"{HEAD}{ENDED[case]}x = jnp.ones(7)\n")
    assert not [place for place in answer.places if place.name == "x"]
