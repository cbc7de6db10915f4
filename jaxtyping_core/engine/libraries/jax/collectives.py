"""Sums and the like over a named axis of ``vmap`` or ``pmap``, where the function is walked for one row and not by JAX."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ....domain.values import PYTHON_NUMBERS
from ....sampling.tables.sizes import ROW_COUNTS
from ...values import arrays
from ...values.conversions import as_array
from ...values.joins import join_all
from ...values.trees import mapped
from ...values.unknowns import UNKNOWN, AbstractScalar, is_scalar, is_unknown

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Those that give an array for each array of a tree.
NAMES = ("psum", "pmean", "pmax", "pmin", "all_gather")
#: Those that give arrays of the same dtypes and dims whatever the groups of rows are.
OF_ANY_GROUPS = ("psum", "pmean", "pmax", "pmin")
#: Of a Python number these give one, when all rows have it.
OF_NUMBERS = ("psum", "pmean")
#: The axis in trials.
AXIS = "rows"


def _native(name: str) -> Callable[[Interpreter], Callable[..., Any]]:
    def make(interpreter: Interpreter) -> Callable[..., Any]:
        real = getattr(jax.lax, name)
        signature = inspect.signature(real)

        def collective(*args: Any, **kwargs: Any) -> Any:
            try:
                arguments = dict(signature.bind(*args, **kwargs).arguments)
            except TypeError as error:
                return interpreter.failed(error)
            if is_unknown(arguments.get("axis_index_groups")):
                if name not in OF_ANY_GROUPS:
                    return UNKNOWN
                # Samples of it would be arrays, of which JAX takes each row apart.
                arguments["axis_index_groups"] = kwargs["axis_index_groups"] = None
            axis = arguments.pop("axis_name")
            if not _is_walked(interpreter, axis):
                return interpreter.of_library(real, list(args), kwargs)
            interpreter.may_raise_epoch += 1
            if name == "axis_index":
                return arrays.array("int32", False, ())
            if arrays.holds_unknown(list(arguments.values())[1:]):
                return UNKNOWN
            tree, options = arguments.pop("x"), tuple(sorted(arguments.items()))
            return mapped(lambda leaf: _of_leaf(interpreter, name, leaf, options), tree)

        return collective

    return make


FUNCTIONS = {f"jax.lax.{name}": _native(name) for name in (*NAMES, "axis_index")}


def _is_walked(interpreter: Interpreter, axis: Any) -> bool:
    """Whether an axis is one over which a function is walked for one row, and not one of JAX's own."""
    if not isinstance(axis, str) or axis not in interpreter.context.axes:
        return False
    try:
        jax.lax.axis_index(axis)
    except NameError:
        return True
    return False


def _of_leaf(interpreter: Interpreter, name: str, leaf: Any, options: tuple[tuple[str, Any], ...]) -> Any:

    if is_scalar(leaf) or type(leaf) in PYTHON_NUMBERS:
        kind = leaf.kind if is_scalar(leaf) else type(leaf)
        if name in OF_NUMBERS and kind is not bool:
            return AbstractScalar(float if name == "pmean" and kind is int else kind)
        leaf = arrays.of_number(AbstractScalar(kind))
    leaf = as_array(leaf)
    if arrays.known_of(leaf) is None:
        return UNKNOWN
    give = interpreter.call_abstractly if is_unknown(leaf) else interpreter.with_sizes
    return _of_any_weakness(give(_in_trial(name, options), [leaf], {}), leaf)


def _of_any_weakness(result: Any, leaf: Any) -> Any:
    """Under ``vmap`` a sum of weak arrays is weak, and under ``pmap`` it is not."""
    known, summed = arrays.known_of(result), arrays.known_of(leaf)
    if known is None or summed is None or summed.weak is False:
        return result
    return arrays.of_known(replace(known, weak=None))


@functools.cache
def _in_trial(name: str, options: tuple[tuple[str, Any], ...]) -> Callable[[Any], Any]:
    """What JAX gives for an array that each row has one of: the row of what it gives that all numbers of rows agree on."""

    def of_rows(leaf: Any, count: int) -> Any:
        def of_row(row: Any) -> Any:
            return getattr(jax.lax, name)(row, AXIS, **dict(options))

        rows = jnp.broadcast_to(leaf, (count, *leaf.shape))
        return jax.vmap(of_row, axis_name=AXIS)(rows)[0]

    def collective(leaf: Any) -> Any:
        return join_all([of_rows(leaf, count) for count in ROW_COUNTS])

    collective.__module__ = "jax.lax"
    return collective
