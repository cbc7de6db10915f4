"""By which arrays a program takes derivatives, also within the functions that JAX traces.

What is differentiated there, JAX tells by the arguments of the call alone: within the function, they are others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.extend.core import Var

from ...identity import identity
from ..libraries.calls.methods import holder_of
from ..values import arrays, numbers, traces
from ..values.trees import leaves
from .operations import Binding, Operations, is_number
from .rule import Begun, Call

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: JAX's classes of arrays by which a derivative is taken, and of its traces. They are not public: without them, nothing is said.
TANGENTS = ("JVPTracer", "LinearizeTracer")
TRACES = ("JVPTrace", "LinearizeTrace")
#: Loops, whose functions get other arguments in each round.
LOOPS = ("scan", "fori_loop", "map", "associative_scan")
#: Functions of JAX that may not call what they get.
CONDITIONAL = ("cond", "switch", "while_loop")
#: How many calls of a function are looked at.
MOST_TIMES = 8


@dataclass(eq=False)
class Body:
    """A function that JAX has traced once, however often it is called.

    Attributes:
        begun: the call that it was traced for.
        is_loop: whether it gets other arguments in each round.
        is_conditional: whether it may not run at all.
        is_within: whether it is called in another one.
        kept: what a rule keeps until it is known which arguments a derivative is taken by.
    """

    trace: Any
    begun: Begun | None
    arguments: Sequence[Any]
    is_loop: bool
    is_conditional: bool
    is_within: bool
    times: int = 1
    kept: list[Any] = field(default_factory=list)


class TracedFunctions:
    """The functions of one walk that JAX has traced."""

    def __init__(self, interpreter: Interpreter, operations: Operations) -> None:
        self._interpreter = interpreter
        self._operations = operations
        self._bodies: dict[int, Body] = {}
        self._by_function: dict[int, list[Body]] = {}

    def __contains__(self, f: Any) -> bool:
        return identity(f) in self._by_function

    def kept(self) -> list[Any]:
        """What is kept of all of them."""
        return [each for body in self._bodies.values() for each in body.kept]

    def current(self) -> Body | None:
        """The function that JAX traces now; None if what is walked is not in one."""
        trace = traces.recording()
        if trace is None or trace is self._interpreter.traces.base:
            return None
        known = self._bodies.get(identity(trace))
        if known is None or known.trace is not trace:
            known = self._bodies[identity(trace)] = self._begin(trace)
        return known

    def _begin(self, trace: Any) -> Body:
        """The walk of a function has begun that JAX traces."""
        calls = reversed(self._interpreter.rules.calls)
        begun = next((each for each in calls if each.trace is not trace), None)
        around = None if begun is None else self._bodies.get(identity(begun.trace))
        name = "" if begun is None else getattr(begun.f, "__name__", "")
        is_conditional = name in CONDITIONAL or (around is not None and around.is_conditional)
        body = Body(trace, begun, _arguments(trace), name in LOOPS, is_conditional, around is not None)
        if begun is not None:
            self._by_function.setdefault(identity(begun.f), []).append(body)
            is_under = _is_of_derivative(getattr(trace, "parent_trace", None))
            self._bind(body, begun.f, begun.args, begun.kwargs, is_under)
        return body

    def bind_again(self, call: Call, is_by: bool) -> bool:
        """A function is called that JAX has traced before, so that it is not walked: whether more is known of its arguments."""
        is_bound = False
        for body in self._by_function.get(identity(call.f), ()):
            if body.begun is None or body.begun.f is not call.f or body.begun.args is call.args:
                continue
            if body.times < MOST_TIMES and (is_by or body.is_within):
                body.times += 1
                is_bound = True
                self._bind(body, call.f, call.args, call.kwargs, is_under=False)
        return is_bound

    def _bind(
        self, body: Body, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any], is_under: bool
    ) -> None:
        """What the arguments of a function are: they are in the order of the leaves of a call, perhaps after some others."""
        passed = [each for each in _leaves([args, kwargs]) if _is_passed(each)]
        taken = (
            _by_position(self._interpreter, f, args) if is_under and not any(map(_is_tangent, passed)) else ()
        )
        for variable, leaf in zip(reversed(body.arguments), reversed(passed), strict=False):
            if not _fits(variable, leaf, body.is_loop):
                continue
            place = numbers.place_of(leaf) if arrays.is_array(leaf) else None
            node = self._operations.node(place) if place is not None else None
            is_by = _is_tangent(leaf) or any(leaf is each for each in taken)
            self._operations.bound_times += 1
            self._operations.bindings.setdefault(variable, []).append(Binding(node, is_by, body.is_loop))


def _arguments(trace: Any) -> Sequence[Any]:
    return [getattr(each, "val", each) for each in getattr(trace.frame, "invars", ())]


def _leaves(value: Any) -> list[Any]:
    try:
        return [leaf for leaf, _ in leaves(value)]
    except Exception:  # code of objects may raise anything: then nothing is known of them
        return []


def _is_passed(leaf: Any) -> bool:
    return arrays.is_array(leaf) or type(leaf) in (int, float, bool, complex)


def _is_tangent(value: Any) -> bool:
    """Whether a derivative is taken by an array."""
    while isinstance(value, jax.core.Tracer):
        if type(value).__name__ in TANGENTS:
            return True
        inner = getattr(value, "val", None)
        value = inner if isinstance(inner, jax.core.Tracer) else None
    return False


def _is_of_derivative(trace: Any) -> bool:
    """Whether a trace is one of a derivative, but for those of functions that are traced within."""
    while trace is not None and not hasattr(trace, "frame"):
        if type(trace).__name__ in TRACES:
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


def _is_under_derivative() -> bool:
    """Whether a derivative is taken of what JAX computes now."""
    trace = traces.current()
    while trace is not None:
        if type(trace).__name__ in TRACES:
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


def differentiated(call: Call) -> frozenset[Any]:
    """The variables and numbers of a call by which a derivative is taken."""
    if not _is_under_derivative():
        return frozenset()
    each = [leaf for leaf in _leaves([holder_of(call.f), call.args, call.kwargs]) if _is_tangent(leaf)]
    return frozenset(key for key in map(_key_of, each) if key is not None)


def _key_of(leaf: Any) -> Any:
    while isinstance(leaf, jax.core.Tracer):
        inner = getattr(leaf, "val", None)
        leaf = getattr(leaf, "primal", None) if inner is None else inner
    if is_number(leaf):
        return ("number", float(leaf.val))
    if isinstance(leaf, float):
        return ("number", leaf)
    return leaf if isinstance(leaf, Var) else None  # an array of numbers has no variable


def _fits(variable: Any, leaf: Any, is_loop: bool) -> bool:
    """Whether an argument may be this."""
    aval = variable.aval
    if not arrays.is_array(leaf):
        if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.extended):  # of keys
            return False
        return aval.shape == () and bool(np.dtype(type(leaf)).kind == np.dtype(aval.dtype).kind)
    shapes = [leaf.shape, leaf.shape[1:]] if is_loop else [leaf.shape]
    return leaf.dtype == aval.dtype and aval.shape in shapes


def _by_position(interpreter: Interpreter, f: Any, args: Sequence[Any]) -> Sequence[Any]:
    """The leaves by which a function takes a derivative of the one that it calls."""
    made = interpreter.made.get(identity(f))
    positions: Any = made.options.get("argnums", 0) if made is not None and "gradient" in made.kind else None
    if positions is None:
        return _leaves(args)
    positions = (positions,) if isinstance(positions, int) else positions
    return _leaves([args[i] for i in positions if -len(args) <= i < len(args)])
