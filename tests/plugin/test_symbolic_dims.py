"""Random functions with dims in their annotations: what is revealed of each step holds for random sizes.

The functions are drawn, always the same ones, from steps that JAX accepts for three draws of sizes; each is then run with sizes
of its own, as far as JAX accepts its steps for those. ``SYMBOLIC_FUNCTIONS=500 SYMBOLIC_SIZES=20`` for more of both.
"""

from __future__ import annotations

import functools
import os
import random
import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from harness import Messages, run_mypy
from jaxtyping_core.domain.formulas import substituted

pytestmark = pytest.mark.one_python  # long; the cases look at the same rules under every Python

FUNCTIONS = int(os.environ.get("SYMBOLIC_FUNCTIONS", "24"))
#: For so many random draws of sizes the claims about a function are compared with what JAX gives.
SIZES = int(os.environ.get("SYMBOLIC_SIZES", "5"))
STEPS = 6
PARAMETERS = {"x": ("b", "n"), "y": ("n", "m"), "z": ("b",), "w": ("m",), "v": ("b", "n")}
#: No two sizes of a draw are equal, and none is 1: dims with different names stand for different sizes.
DRAWS = ({"b": 4, "n": 6, "m": 10}, {"b": 9, "n": 2, "m": 5}, {"b": 3, "n": 12, "m": 8})
OF_ONE = """\
{a}.T
{a}.sum(axis=0)
{a}.mean(axis=-1, keepdims=True)
{a}[None]
{a}[..., None]
{a}[::2]
{a}[1:]
{a}[:-1]
{a}[0]
{a}.reshape(-1)
{a}.reshape({a}.shape[0], -1)
{a}.reshape({a}.shape[::-1])
jnp.tile({a}, 2)
jnp.repeat({a}, 3, axis=0)
jnp.pad({a}, 1)
jnp.diff({a}, axis=0)
jnp.zeros({a}.shape[::-1])
jnp.arange({a}.shape[0]) * 1.0
jnp.ones(({a}.size, 2))
jnp.full(len({a}) + 1, 0.5)
jnp.cumsum({a}, axis=0)
jnp.swapaxes({a}, 0, -1)
jax.vmap(lambda row: row * 2)({a})
jax.lax.map(lambda row: row.sum(), {a})
jnp.split({a}, 2)[0]""".splitlines()
OF_TWO = """\
{a} + {b}
{a} @ {b}
{a} @ {b}.T
{a}[:, None] * {b}
jnp.concatenate([{a}, {b}])
jnp.concatenate([{a}, {b}], axis=-1)
jnp.stack([{a}, {b}])
jnp.outer({a}, {b})
jnp.kron({a}, {b})
jnp.einsum('ij,kj->ik', {a}, {b})
jnp.where({a} > 0, {a}, {b})
jnp.zeros(({a}.shape[0], {b}.shape[0]))
jnp.zeros({a}.shape[0] * {b}.shape[-1])
jax.vmap(lambda row: row @ {b})({a})
jnp.tensordot({a}, {b}, axes=1)
jnp.hstack([{a}, {b}])""".splitlines()


REFUSED = (TypeError, ValueError, IndexError, ZeroDivisionError)


def arrays(sizes: dict[str, int]) -> dict[str, jax.ShapeDtypeStruct]:
    return {
        name: jax.ShapeDtypeStruct([sizes[dim] for dim in dims], jnp.float32)
        for name, dims in PARAMETERS.items()
    }


def evaluated(step: str, variables: dict[str, Any]) -> Any:
    return eval(step, {"jnp": jnp, "jax": jax, **variables})


def results(steps: list[str], variables: dict[str, jax.ShapeDtypeStruct]) -> list[jax.ShapeDtypeStruct]:
    """What JAX gives for the steps, up to the first that it refuses."""

    def run(known: dict[str, Any]) -> list[Any]:
        values: list[Any] = []
        for number, step in enumerate(steps, 1):
            try:
                known[f"r{number}"] = evaluated(step, known)
            except REFUSED:
                break
            values.append(known[f"r{number}"])
        return values

    shapes: list[jax.ShapeDtypeStruct] = jax.eval_shape(run, variables)
    return shapes


@functools.cache
def drawn(seed: int) -> list[str]:
    """The steps of a function."""
    choice = random.Random(seed)
    variables = [arrays(sizes) for sizes in DRAWS]
    steps: list[str] = []
    while len(steps) < STEPS:
        names = list(variables[0])
        row = choice.choice(OF_ONE + OF_TWO)
        expression = row.format(a=choice.choice(names[-4:] + names), b=choice.choice(names))
        values = [value for known in variables for value in results([expression], known)]
        if len(values) < len(DRAWS) or any(value.size == 0 or value.size > 100_000 for value in values):
            continue
        steps.append(expression)
        for known, value in zip(variables, values, strict=True):
            known[f"r{len(steps)}"] = value
    return steps


def sizes_of(seed: int) -> list[dict[str, int]]:
    """The sizes a function was drawn for, and random ones, which are different for each function."""
    choice = random.Random(1_000_000 + seed)
    others = (choice.sample(range(2, 17), 3) for _ in range(SIZES))
    return [*DRAWS, *(dict(zip("bnm", sizes, strict=True)) for sizes in others)]


def source(steps: list[str]) -> str:
    parameters = ", ".join(f'{name}: Float[Array, "{" ".join(dims)}"]' for name, dims in PARAMETERS.items())
    body = "\n".join(
        f"    r{number} = {step}\n    reveal_type(r{number})" for number, step in enumerate(steps, 1)
    )
    return (
        "import jax\nimport jax.numpy as jnp\nfrom jaxtyping import Array, Float\n"
        f"def f({parameters}):\n{body}\n"
    )


SEEDS = range(FUNCTIONS)


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    modules = {f"drawn_{seed}": source(drawn(seed)) for seed in SEEDS}
    return run_mypy(modules, tmp_path_factory.mktemp("symbolic"), "check_untyped_defs = True\n")


def revealed(messages: Messages, seed: int) -> list[str]:
    """What is revealed of each step; an error is a part of it."""
    said = messages[f"drawn_{seed}"]
    return [" ".join(said[line]) for line in sorted(said)]


def size(item: str, sizes: dict[str, int]) -> int | None:
    """A dim as mypy spells it, where the names stand for these sizes."""
    if item == "Any":
        return None
    literal = re.fullmatch(r"Literal\['?(.*?)'?\]", item)
    return int(substituted(literal[1] if literal else item, dict(sizes)))


def split(dims: str) -> list[str]:
    return re.findall(r"Literal\[[^\]]*\]|\w+", dims)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_revealed_holds_for_all_sizes(seed: int, messages: Messages) -> None:
    steps = drawn(seed)
    said = revealed(messages, seed)
    assert len(said) == len(steps)
    for sizes in sizes_of(seed):
        for step, text, value in zip(steps, said, results(steps, arrays(sizes)), strict=False):
            if text == 'N: Revealed type is "Any"':
                continue
            shown = re.search(r'Revealed type is "Array\[(\w+), (Any|tuple\[(.*)\])\]"$', text)
            assert shown is not None, (step, text)
            if shown[1] not in ("Any", "floating", "weak_float", "weak_int"):
                assert np.dtype(shown[1]) == value.dtype, (step, text)
            if shown[2] == "Any":
                continue
            claimed = [] if shown[3] == "()" else [size(item, sizes) for item in split(shown[3])]
            assert len(claimed) == value.ndim, (step, text)
            fits = [a is None or a == b for a, b in zip(claimed, value.shape, strict=True)]
            assert all(fits), (step, text, sizes, value.shape)


def test_most_is_known(messages: Messages) -> None:
    """What is open is never wrong: there must be enough that is not."""
    texts = [text for seed in SEEDS for text in revealed(messages, seed)]
    known = [
        text
        for text in texts
        if re.search(r", tuple\[", text) and ", tuple[Any" not in text and ", Any]" not in text
    ]
    assert len(known) >= 0.6 * len(texts)
