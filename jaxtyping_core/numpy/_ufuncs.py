"""The methods of ``jax.numpy``'s ufuncs on the functions of the layer: ``add.reduce``, ``maximum.outer`` and their kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxtyping_core.numpy import _calls
from jaxtyping_core.numpy._array import Array, made, unwrap
from jaxtyping_core.numpy._at import fitting
from jaxtyping_core.numpy._rows import Operand, Row

Function = Callable[..., Any]

#: The ufuncs whose reductions are sums and products, with the dtype that the system has for these.
_SUMS = ("add", "multiply")
_REDUCTIONS = {
    "reduce": "The elements combined along axes.",
    "accumulate": "The elements so far combined along an axis.",
    "reduceat": "The elements of slices combined along an axis.",
}
_PROPERTIES = ("identity", "nargs", "nin", "nout")


def give_methods(function: Function, row: Row, lowered: Any) -> None:
    """Gives `function`, of `row`, the methods that JAX's function `lowered` has, if it is a ufunc."""
    if not isinstance(lowered, jnp.ufunc):
        return
    made = {name: getattr(lowered, name) for name in _PROPERTIES}
    if lowered.nin == 2:
        rule = "sum" if row.name in _SUMS else "alone"
        for name, doc in _REDUCTIONS.items():
            made[name] = _method(row, name, rule, (Operand(0, "a", ""),), lowered, doc)
        both = (Operand(0, "A", ""), Operand(1, "B", ""))
        made["outer"] = _method(
            row, "outer", row.rule, both, lowered, "The function of all pairs of elements."
        )
    made["at"] = _at(lowered)
    vars(function).update(made)


def _method(
    row: Row, name: str, rule: str, operands: tuple[Operand, ...], lowered: Any, doc: str
) -> Function:
    method = row._replace(
        name=f"{row.name}.{name}",
        rule=rule,
        operands=operands,
        target=f"{row.target}.{name}",
        doc=doc,
        elementwise=False,
    )
    function = _calls.planned(method, getattr(lowered, name))
    function.__name__, function.__doc__ = name, f"{doc} It takes the arguments of ``{method.target}``."
    return function


def _at(lowered: Any) -> Function:
    def at(a: Any, indices: Any, b: Any = None, /, *, inplace: bool = True) -> Array:
        """A copy with other elements at `indices`. The dtype stays the same, as with ``x.at``.

        Raises:
            NotImplementedError: `inplace` is not False; arrays are immutable.
            PromotionError: `b` would change the dtype.
        """
        array, index = jnp.asarray(unwrap(a)), unwrap(indices)
        operands = () if b is None else (fitting(array, unwrap(b)),)
        with jax.numpy_dtype_promotion("strict"):
            return made(lowered.at(array, index, *operands, inplace=inplace))

    return at
