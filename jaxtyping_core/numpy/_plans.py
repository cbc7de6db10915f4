"""What becomes of the arguments of a call before JAX sees them, and of its result: planned once for their dtypes.

A plan depends on the row, the system, and of the arguments only on what `described` tells.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _operands, _rules
from jaxtyping_core.numpy._array import Array, stands_for_array, unwrap
from jaxtyping_core.numpy._rows import Row
from jaxtyping_core.promotion import join, resolve

System = str | Lattice
Arguments = Sequence[Any]
Keywords = Mapping[str, Any]


class Step(NamedTuple):
    """A change of one argument: the position or name, the index if the argument is a list, and the change."""

    place: int | str
    item: int | None
    change: Callable[[Any], Any]


class Plan(NamedTuple):
    """The changes of arguments, what is verified of them before, and what is made of the result."""

    steps: Sequence[Step] = ()
    verify: Callable[[list[Any], dict[str, Any]], None] | None = None
    finish: Callable[[Any], Any] | None = None


#: The values of these make no difference to a plan.
_BY_TYPE = frozenset((int, float, complex, type(None)))
_CLASSES = (type, np.dtype)
#: Most calls' plan.
NOTHING = Plan()


def described(values: Iterable[Any], into: list[Any]) -> list[Any]:
    """The values that JAX computes with; `into` gets what plans depend on: dtypes, ranks, and the types of others."""
    described_values = []
    for value in values:
        kind = type(value)
        if kind is Array:
            value = value._Array__value
            aval = value.aval  # to ask the array itself takes three times as long
            into += (aval.dtype, aval.weak_type, len(aval.shape))
        elif kind in _BY_TYPE:
            into.append(kind)
        elif kind is list or kind is tuple:
            into += (kind, len(value))
            value = kind(described(value, into))
        elif kind is bool or kind is str or isinstance(value, _CLASSES):
            into += (kind, value)
        elif stands_for_array(value):
            (value,) = described((unwrap(value),), into)
        elif (dtype := getattr(value, "dtype", None)) is not None:
            into += (dtype, getattr(value, "weak_type", False), np.ndim(value))
        else:
            into.append(kind)
            value = unwrap(value)
        described_values.append(value)
    return described_values


def perform(plan: Plan, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Changes the arguments in place."""
    if plan.verify is not None:
        plan.verify(args, kwargs)
    for place, item, change in plan.steps:
        container: Any = kwargs if isinstance(place, str) else args
        if item is None:
            container[place] = change(kwargs.get(place) if isinstance(place, str) else args[place])
        else:
            values = list(container[place])
            values[item] = change(values[item])
            container[place] = values


def plan(row: Row, target: Callable[..., Any], args: Arguments, kwargs: Keywords, system: System) -> Plan:
    """How the function of `row` is called with such arguments under `system`.

    Args:
        row, target: the row, and the function of JAX that it lowers to.
        args, kwargs: the arguments, without arrays of the layer.

    Raises:
        PromotionError: the operands have no common dtype.
        TypeError: an operand is no array, or has a dtype without promotion.
    """
    made = _PLANNERS.get(row.rule, _converted)(_Call(row, target, args, kwargs, system))
    return NOTHING if not any(made) else made


class _Call(NamedTuple):
    row: Row
    target: Callable[..., Any]
    args: Arguments
    kwargs: Keywords
    system: System


def _slots(call: _Call) -> Iterator[tuple[int | str, int | None, Any]]:
    """The operands of a call: place, index in a list, value."""
    for place, name, many in call.row.operands:
        if many == "*":
            if call.row.name == "einsum" and call.args and not isinstance(call.args[0], str):
                place = 0  # einsum(x, [0], y, [0, 1]): every second argument is a list of axes
            yield from (
                (at, None, value)
                for at, value in enumerate(call.args)
                if at >= place and not (call.row.name == "einsum" and isinstance(value, list | tuple))
            )
            continue
        positional = place < len(call.args)
        value = call.args[place] if positional else call.kwargs.get(name)
        at: int | str = place if positional else name
        if many and isinstance(value, list | tuple):
            yield from ((at, index, item) for index, item in enumerate(value))
        elif value is not None:
            yield at, None, value


def _steps(call: _Call, rule: str) -> list[Step]:
    """The conversions of the operands."""
    slots = list(_slots(call))
    if not slots:
        return []
    ranked = _context.ranked(call.system)
    keys = tuple([_operands.key(value, ranked) for _, _, value in slots])
    converters = _operands.plan(rule, keys, call.system, jax.config.jax_enable_x64)
    return [
        Step(place, item, converter)
        for (place, item, _), converter in zip(slots, converters, strict=True)
        if converter is not None
    ]


def _converted(call: _Call) -> Plan:
    return Plan(_steps(call, call.row.rule))


def widened(
    row: Row, target: Callable[..., Any], args: Arguments, kwargs: Keywords, system: System
) -> Plan | None:
    """How a question about integers is asked in an integer dtype that holds them all, for the answer has another.

    None where the row asks no such question, or there is no such dtype: with 64-bit types off it may be missing.
    """
    slots = list(_slots(_Call(row, target, args, kwargs, system)))
    try:
        dtype = np.result_type(
            *(np.min_scalar_type(value) if type(value) is int else value.dtype for *_, value in slots)
        )
    except (AttributeError, TypeError):  # lists, or dtypes that NumPy has no common one for
        return None
    known = dtypes.canonical(dtype.name, jax.config.jax_enable_x64) == dtype.name
    if row.rule != "question" or dtype.kind not in "iu" or not known:
        return None
    return Plan(
        [Step(place, item, lambda value: jax.numpy.asarray(value, dtype)) for place, item, _ in slots]
    )


def _clipped(call: _Call) -> Plan:
    """As `_converted`; a bound beyond those of the dtype bounds nothing."""
    plan = _converted(call)
    _, low, high = (operand.name for operand in call.row.operands)
    steps = [
        step._replace(change=_bounding(step.change, is_low=step.place in (1, low)))
        if step.place in (1, 2, low, high)
        else step
        for step in plan.steps
    ]
    return plan._replace(steps=steps)


def _bounding(change: Callable[[Any], Any], *, is_low: bool) -> Callable[[Any], Any]:
    def bound(value: Any) -> Any:
        try:
            return change(value)
        except _operands.OutOfBoundsError as error:
            if (value < error.bound) is not is_low:  # nothing is within such bounds
                raise
            return change(error.bound)

    return bound


def _summed(call: _Call) -> Plan:
    """Where the system has its own dtype for sums, JAX is asked for it."""
    steps = _steps(call, "alone")
    place = _dtype_place(call)
    if call.kwargs.get("dtype") is None and (len(call.args) <= place or call.args[place] is None):
        value = next((value for _, _, value in _slots(call)), 0)  # JAX says that there is none
        node = _operands.node(_operands.key(value, False))
        wanted = _rules.sum_dtype(node, call.system, jax.config.jax_enable_x64)
        if wanted is not None:
            steps.append(_dtype_step(wanted, place if len(call.args) > place else "dtype"))
    return Plan(steps)


def _dtype_step(name: str, place: int | str = "dtype") -> Step:
    dtype = dtypes.numpy_dtype(name)
    return Step(place, None, lambda value: dtype)


def _dtype_place(call: _Call) -> int:
    """The position of the parameter `dtype`; past all arguments if it is keyword-only."""
    parameters = inspect.signature(call.target).parameters
    named = parameters["dtype"].kind is inspect.Parameter.KEYWORD_ONLY
    return len(parameters) if named else list(parameters).index("dtype")


def _given_dtype(call: _Call) -> Any:
    place = _dtype_place(call)
    return call.args[place] if place < len(call.args) else call.kwargs.get("dtype")


def _created(call: _Call) -> Plan:
    """An array of bounds or of nothing: they promote, and Python scalars alone are as the system has them."""
    rule = _rules.OF_BOUNDS.get(call.row.rule)
    if rule is not None and any(hasattr(value, "dtype") for _, _, value in _slots(call)):
        return Plan(_steps(call, rule))
    if call.system in _rules.OF_JAX:
        return Plan()
    explicit = call.kwargs.get("dtype") is not None or any(hasattr(value, "dtype") for value in call.args)
    return Plan(finish=functools.partial(settled, system=call.system, explicit=explicit))


def _filled(call: _Call) -> Plan:
    """As `_created`; a Python integer must fit into the dtype that is asked for, where JAX would wrap it."""
    dtype = _given_dtype(call)
    if dtype is None:
        dtype = getattr(call.args[0] if call.args else call.kwargs.get("a"), "dtype", None)
    name = "" if dtype is None else np.dtype(dtype).name
    steps = [
        Step(place, item, converter)
        for place, item, value in _slots(call)
        if type(value) is int and name in dtypes.DTYPES and dtypes.kind(name) in "ui"
        if (converter := _operands.scalar_converter(name, True)) is not None
    ]
    return _created(call)._replace(steps=steps)


def _ranged(call: _Call) -> Plan:
    """As `_created`; the first and the last integer must fit into the dtype, that which is asked for or JAX's own."""
    plan, dtype = _created(call), _given_dtype(call)
    if dtype is None:
        dtype = dtypes.default_dtype("i", jax.config.jax_enable_x64)
    places = [place for place, _, value in _slots(call) if type(value) is int]
    if np.dtype(dtype).kind not in "ui" or len(places) < len(list(_slots(call))):
        return plan
    name = np.dtype(dtype).name

    def verify(args: list[Any], kwargs: dict[str, Any]) -> None:
        bounds = [kwargs[place] if isinstance(place, str) else args[place] for place in places]
        _operands.verify_range(range(*bounds), name)

    return plan._replace(verify=verify)


def _made(call: _Call) -> Plan:
    """An array of a scalar, or of nested lists: where these hold several dtypes, the system decides."""
    value = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    if _given_dtype(call) is None and isinstance(value, list | tuple):
        nodes = {_operands.node(_operands.key(leaf, False)) for leaf in jax.tree.leaves(value)}
        if len(nodes) > 1 and not nodes <= dtypes.WEAK.keys():
            x64 = jax.config.jax_enable_x64
            if call.system in _rules.STRONG_IN_LISTS:
                nodes = {
                    join(node, system=call.system, x64=True) if node in dtypes.WEAK else node
                    for node in nodes
                }
            common = join(*sorted(nodes), system=call.system, x64=x64)
            return Plan((_dtype_step(dtypes.canonical(resolve(common, x64), x64)),))
    return _created(call)


def settled(out: Any, system: System, explicit: bool) -> Any:
    return jax.tree.map(functools.partial(_settled_one, system=system, explicit=explicit), out)


def _settled_one(out: Any, system: System, explicit: bool) -> Any:
    """`out` as a Python scalar of its kind would be, where it has the default dtype by JAX's rules."""
    x64 = jax.config.jax_enable_x64
    kind = np.dtype(out.dtype).kind
    default = kind in "ifc" and out.dtype == dtypes.numpy_dtype(dtypes.default_dtype(kind, x64))
    if not out.weak_type and (explicit or not default):
        return out
    node = _operands.node({"i": int, "f": float, "c": complex}[kind])
    if isinstance(system, Lattice) and node not in system:  # it says nothing of Python scalars
        return out
    (target,) = _rules.targets("alone", [node], system, x64)
    if target is None:
        return out
    return _operands.caster(target if out.weak_type else resolve(target, x64), x64)(out)


_PLANNERS: dict[str, Callable[[_Call], Plan]] = {
    "sum": _summed,
    "clip": _clipped,
    "array": _made,
    "filled": _filled,
    **dict.fromkeys(("create", *_rules.OF_BOUNDS), _created),
    "range": _ranged,
}
