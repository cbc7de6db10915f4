"""The outcome of calls, by abstract evaluation: dtypes with weakness, and shapes.

Many calls are traced at once. The arrays among their arguments are written as `Spec`s; whatever else an argument
is, it is passed as it stands.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxtyping_core import dtypes


class Spec(NamedTuple):
    """An array as an argument or as a result: its dtype or weak type, and its shape."""

    node: str
    shape: tuple[int, ...] = ()


class Other(NamedTuple):
    """A result that is no array: the name of its class."""

    kind: str


class Many(NamedTuple):
    """A tuple, a list or a named tuple of results."""

    kind: str  # "tuple", "list", or the name of the named tuple's class
    items: tuple[Any, ...]


#: The outcome of a call; None where JAX refuses it.
Outcome = Spec | Other | Many | None


class Call(NamedTuple):
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = {}


def evaluate(function: Callable[..., Any], calls: Sequence[Call], x64: bool = False) -> list[Outcome]:
    """The outcomes of `calls`."""
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _in_one_trace(function, calls)


def _in_one_trace(function: Callable[..., Any], calls: Sequence[Call]) -> list[Outcome]:
    specs = dict.fromkeys(spec for call in calls for spec in _specs((call.args, tuple(call.kwargs.values()))))
    abstract = [_abstract(spec) for spec in specs]
    outcomes: list[Outcome] = []

    def run(*arrays: Any) -> None:
        known = dict(zip(specs, arrays, strict=True))
        outcomes.extend(_outcome(function, call, known) for call in calls)

    jax.eval_shape(run, *abstract)
    return outcomes


def _outcome(function: Callable[..., Any], call: Call, known: Mapping[Spec, Any]) -> Outcome:
    args = [_fill(arg, known) for arg in call.args]
    kwargs = {name: _fill(arg, known) for name, arg in call.kwargs.items()}
    try:
        return describe(function(*args, **kwargs))
    except Exception:  # noqa: BLE001 - whatever JAX raises is its refusal
        return None


def describe(value: Any) -> Outcome:
    """What a function returned."""
    if isinstance(value, jax.Array):
        aval = jax.typeof(value)
        return Spec(_node(aval.dtype, aval.weak_type), tuple(aval.shape))
    if isinstance(value, tuple | list):
        return Many(type(value).__name__, tuple(map(describe, value)))
    return Other(type(value).__name__)


def _node(dtype: Any, weak: bool) -> str:
    kinds = {kind: node for node, kind in dtypes.WEAK.items()}
    return (kinds.get(jnp.dtype(dtype).kind) if weak else None) or str(dtype.name)


def _abstract(spec: Spec) -> Any:
    weak = spec.node in dtypes.WEAK
    x64 = bool(jax.config.jax_enable_x64)
    name = dtypes.default_dtype(dtypes.WEAK[spec.node], x64) if weak else spec.node
    return jax.ShapeDtypeStruct(spec.shape, dtypes.numpy_dtype(name), weak_type=weak)


def _specs(value: Any) -> Iterator[Spec]:
    if isinstance(value, Spec):
        yield value
    elif type(value) in (tuple, list):
        for item in value:
            yield from _specs(item)


def _fill(value: Any, known: Mapping[Spec, Any]) -> Any:
    """`value` with its specs replaced by arrays."""
    if isinstance(value, Spec):
        return known[value]
    if type(value) in (tuple, list):
        return type(value)(_fill(item, known) for item in value)
    return value


def arrays(outcome: Outcome) -> list[Spec]:
    """The arrays in an outcome, in order."""
    if isinstance(outcome, Spec):
        return [outcome]
    return [spec for item in outcome.items for spec in arrays(item)] if isinstance(outcome, Many) else []
