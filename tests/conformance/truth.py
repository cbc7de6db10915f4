"""What JAX computes for an expression, found by tracing it (or, where values decide, by running it)."""

from __future__ import annotations

import contextlib
import functools
import importlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from conformance import variables
from jaxtyping_core import dtypes

#: The modules that programs import by their full names.
MODULES = (
    *("jax.nn", "jax.nn.initializers", "jax.random", "jax.image", "jax.ops", "jax.lax.linalg", "jax.tree"),
    *(
        "jax.tree_util",
        "jax.dtypes",
        "jax.scipy.special",
        "jax.scipy.linalg",
        "jax.scipy.signal",
        "jax.scipy.fft",
    ),
    *("jax.scipy.ndimage", "jax.scipy.stats", "jax.scipy.integrate", "jax.scipy.cluster.vq"),
    *("jax.scipy.optimize", "jax.scipy.sparse.linalg", "jax.scipy.interpolate"),
)


@contextlib.contextmanager
def announced_refusals() -> Iterator[None]:
    """No warnings, but for what the plugin takes for a refusal: JAX says that it will refuse what it cuts down in an update."""
    with warnings.catch_warnings(action="ignore"):
        warnings.filterwarnings("error", "scatter inputs have incompatible types", FutureWarning)
        yield


class ArrayOf(NamedTuple):
    """An array: the class that stands for its dtype, and its shape."""

    dtype: str
    shape: tuple[int, ...]


class Items(NamedTuple):
    """A tuple, list or dict of results."""

    kind: str
    items: tuple[Truth, ...]
    fields: tuple[Any, ...] = ()  # of a named tuple; the keys of a dict


class Value(NamedTuple):
    """Anything else."""

    value: Any


class Refused(NamedTuple):
    """The words in which JAX refuses it."""

    error: str


Truth: TypeAlias = ArrayOf | Items | Value | Refused

#: Expressions in one trace.
_PER_TRACE = 200

#: What tracing raises where a result depends on values.
_CONCRETE = (
    *(jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError),
    *(jax.errors.TracerArrayConversionError, jax.errors.TracerIntegerConversionError),
)
_KINDS = {kind: weak for weak, kind in dtypes.WEAK.items()}


@functools.cache
def scope() -> dict[str, Any]:
    """The names that expressions use."""
    for module in MODULES:
        importlib.import_module(module)
    return {"jax": jax, "jnp": jnp, "np": np, "lax": lax}


def find(
    expressions: Sequence[str], second: bool = False, larger: bool = False, run: bool = True
) -> list[Truth | None]:
    """What JAX computes for each expression; None where that cannot be found out on this machine.

    With `second`, for other values of the variables; with `larger`, for other sizes of them; without `run`, by tracing
    alone.
    """
    truths: list[Truth | None] = []
    for start in range(0, len(expressions), _PER_TRACE):
        truths += _trace(expressions[start : start + _PER_TRACE], second, larger, run)
    return truths


def _trace(expressions: Sequence[str], second: bool, larger: bool, run: bool) -> list[Truth | None]:
    """Evaluate expressions within one trace, which costs less than a trace for each."""
    arrays = variables.arrays(" ".join(expressions), larger)
    fixed = {name: v.value(second) for name, v in arrays.items() if v.is_numpy}
    outcomes: list[Truth | Exception] = []

    def trace(traced: dict[str, Any]) -> None:
        for expression in expressions:
            names = {**scope(), **variables.others(expression, second), **fixed, **traced}
            try:
                outcomes.append(describe(eval(expression, names)))
            except Exception as error:
                outcomes.append(error)

    with announced_refusals():
        jax.eval_shape(trace, {name: v.struct() for name, v in arrays.items() if not v.is_numpy})
        pairs = zip(expressions, outcomes, strict=True)
        return [
            _judge(text, outcome, second, larger, run) if isinstance(outcome, Exception) else outcome
            for text, outcome in pairs
        ]


def _judge(expression: str, error: Exception, second: bool, larger: bool, run: bool) -> Truth | None:
    """What to make of an exception: the expression is refused, or it has to be run."""
    if isinstance(error, _CONCRETE) or "not available on traced array" in str(error):
        return _run(expression, second, larger) if run else None
    return _refused(error)


def _refused(error: Exception) -> Refused:
    return Refused(f"{type(error).__name__}: {error}".split("\n")[0][:200])


def _run(expression: str, second: bool, larger: bool) -> Truth | None:
    arrays = variables.arrays(expression, larger)
    if not all(v.dtype in variables.COMPUTABLE or v.dtype in dtypes.WEAK for v in arrays.values()):
        return None
    values = {name: variable.value(second) for name, variable in arrays.items()}
    try:
        return describe(eval(expression, {**scope(), **variables.others(expression, second), **values}))
    except Exception as error:
        return _refused(error)


def describe(value: Any) -> Truth:
    """The truth about a result."""
    if isinstance(value, jax.Array):
        return ArrayOf(_dtype(value), value.shape)
    if isinstance(value, dict):
        return Items("dict", tuple(map(describe, value.values())), tuple(value))
    if isinstance(value, (tuple, list)):
        kind = "list" if isinstance(value, list) else "tuple"
        return Items(kind, tuple(map(describe, value)), getattr(value, "_fields", ()))
    return Value(value)


def _dtype(array: Any) -> str:
    name = array.dtype.name
    if name not in dtypes.DTYPES:  # an extended dtype, such as that of random keys
        return str(name)
    row = dtypes.DTYPES[name]
    # JAX marks some bool arrays weak; promotion knows no such type.
    return _KINDS.get(row.kind, row.class_name) if array.weak_type else row.class_name
