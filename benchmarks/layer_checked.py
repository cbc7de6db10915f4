"""What `@checked` costs at a call, relative to jaxtyping with beartype, and to no check.

Called from Python, on arrays of the default device. beartype looks at one item of a dict, `@checked` at all of them. The sides run in turns, and the least of the rounds counts. Exits with
status 1 if our check takes longer than theirs.

    python benchmarks/layer_checked.py
"""

from __future__ import annotations

import gc
import platform
import sys
import timeit
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

import beartype
import jax
import jax.numpy as jnp
from jaxtyping import Float, PyTree
from jaxtyping import jaxtyped as theirs

import jaxtyping_core.numpy as lnp
from jaxtyping_core.typing import Float32

ROUNDS, CALLS = 100, 10

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")


def ours_project(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, D]:
    return x


def theirs_project(x: Float[jax.Array, "b d"], w: Float[jax.Array, "d h"]) -> Float[jax.Array, "b d"]:
    return x


def ours_dict(params: dict[str, Float32[B, D]]) -> Float32[B, D]:
    return params["0"]


def theirs_dict(params: dict[str, Float[jax.Array, "b d"]]) -> Float[jax.Array, "b d"]:
    return params["0"]


def theirs_tree(params: PyTree[Float[jax.Array, "b d"]]) -> Any:
    return params["0"]


def times(sides: list[Callable[[], Any]]) -> list[float]:
    """The least time of each side, in microseconds."""
    timers = [timeit.Timer(side) for side in sides]
    for side in sides:
        side()
    rounds = [[timer.timeit(CALLS) for timer in timers] for _ in range(ROUNDS)]
    return [min(column) / CALLS * 1e6 for column in zip(*rounds, strict=True)]


def main() -> int:
    gc.disable()
    x, w = jnp.ones((4, 8)), jnp.ones((8, 3))
    a, b = lnp.asarray(x), lnp.asarray(w)
    params, layer = {str(i): x for i in range(50)}, {str(i): a for i in range(50)}
    rows: dict[str, list[float]] = {}
    for name, mine, other, args, their_args in (
        ("two matrices", ours_project, theirs_project, (a, b), (x, w)),
        ("two matrices of JAX", ours_project, theirs_project, (x, w), (x, w)),
        ("a dict of 50 matrices, against PyTree", ours_dict, theirs_tree, (layer,), (params,)),
        (
            "a dict of 50 matrices, of which beartype looks at one",
            ours_dict,
            theirs_dict,
            (layer,),
            (params,),
        ),
    ):
        checked, typed = lnp.checked(cast(Any, mine)), theirs(other, typechecker=beartype.beartype)
        rows[name] = times([partial(f, *v) for f, v in ((mine, args), (checked, args), (typed, their_args))])
    print(
        "| call | no check, µs | @checked, µs | jaxtyping and beartype, µs | ratio |\n|---|--:|--:|--:|--:|"
    )
    for name, (none, us, them) in rows.items():
        print(f"| {name} | {none:.1f} | {us:.1f} | {them:.1f} | {us / them:.2f} |")
    print(f"\nPython {platform.python_version()}, JAX {jax.__version__}.")
    return int(any(us > them for name, (_, us, them) in rows.items() if "looks at one" not in name))


if __name__ == "__main__":
    sys.exit(main())
