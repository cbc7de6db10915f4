"""Loops of JAX whose bodies get to something unknown: what they carry is like what it starts as."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..values import arrays
from ..values.trees import map_tree
from ..values.unknowns import UNKNOWN, NeedsValue

if TYPE_CHECKING:
    from ..machine import Machine

#: Where each loop is given what it starts with, by position and by name.
STARTS = {"scan": (1, "init"), "while_loop": (2, "init_val"), "fori_loop": (3, "init_val")}


def _loop(name: str) -> Callable[[Machine], Callable[..., Any]]:
    position, keyword = STARTS[name]

    def make(machine: Machine) -> Callable[..., Any]:
        import jax

        real = getattr(jax.lax, name)

        def loop(*args: Any, **kwargs: Any) -> Any:
            from ..language.calls import of_library

            with contextlib.suppress(NeedsValue):  # JAX looks at what the body gives
                result = of_library(machine, real, list(args), kwargs)
                if result is not UNKNOWN:
                    return result
            carried = _like(args[position] if len(args) > position else kwargs.get(keyword, UNKNOWN))
            return (carried, UNKNOWN) if name == "scan" else carried

        return loop

    return make


def _like(start: Any) -> Any:
    """What a loop carries that starts as `start`: JAX refuses bodies that change it, but may make weak arrays strong."""

    def of_leaf(leaf: Any) -> Any:
        described = arrays.description(leaf)
        if described is None:
            return UNKNOWN
        dtype, weak, dims = described
        return arrays.array(dtype, False, dims) if weak is False else arrays.array(None, None, dims)

    try:
        return map_tree(of_leaf, start)
    except Exception:  # an object of the program's, which JAX takes to pieces by the program's functions
        return UNKNOWN


FUNCTIONS = {f"jax.lax.{name}": _loop(name) for name in STARTS}
