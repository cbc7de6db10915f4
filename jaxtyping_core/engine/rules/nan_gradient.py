"""Gradients that are NaN where a function has no slope: `jnp.where` leaves its value out, and multiplies its infinite slope by 0.

Where a derivative is taken, JAX's equations and its tracers tell. A branch of `jnp.where` is tried with a few numbers for what is
not known: if one is found for which the function has no slope, and the condition chooses the other branch, the gradient is NaN
for that number.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Literal

from ...identity import identity
from ..libraries.memo import module_root
from ..values import arrays, numbers, traces
from ..values.trees import leaves
from .key_reuse import is_random
from .operations import (
    ARGUMENT,
    INLINED,
    Binding,
    Node,
    Operations,
    closure,
    is_backward,
    is_number,
)
from .rule import Begun, Call, Rule
from .uniform import Trial, is_computed

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: JAX's classes of arrays by which a derivative is taken. They are not public: without them, nothing is said.
TANGENTS = ("JVPTracer", "LinearizeTracer")
#: What is tried for arrays that are not known.
TRIED = (0.0, 1.0, -1.0)
#: The functions of JAX that choose between values.
CHOOSING = ("where", "select", "select_n", "piecewise")
#: Loops, whose functions get other arguments in each round.
LOOPS = ("scan", "fori_loop", "map", "associative_scan")
#: Functions of JAX that may not call what they get.
CONDITIONAL = ("cond", "switch", "while_loop")
#: How many calls of a function are looked at.
MOST_TIMES = 8
#: How far before a choice an operation is looked for.
FAR = 60
#: How many operations are kept of which it is not known whether a derivative comes to them.
MOST_MET = 100


class Slopeless(NamedTuple):
    """An operation without a finite slope at some numbers: which input, at which numbers, and what people call it.

    `at` gets the numbers of the input, those of a power, and the parameters of the operation.
    """

    position: int
    at: Callable[..., Any]
    name: str


def _powers(value: Any, power: Any, _: Any) -> Any:
    """The numbers of which a power has no slope, if that power is known."""
    if power is None:
        return np.zeros(value.shape, bool)
    return ((value < 0) & (power != np.floor(power))) | ((value == 0) & (power < 1) & (power != 0))


#: The operations without a slope somewhere.
SLOPELESS: Mapping[str, Slopeless] = {
    "sqrt": Slopeless(0, lambda value, *_: value <= 0, "sqrt"),
    "rsqrt": Slopeless(0, lambda value, *_: value <= 0, "rsqrt"),
    "cbrt": Slopeless(0, lambda value, *_: value == 0, "cbrt"),
    "log": Slopeless(0, lambda value, *_: value == 0, "log"),
    "log1p": Slopeless(0, lambda value, *_: value == -1, "log1p"),
    "div": Slopeless(1, lambda value, *_: value == 0, "the division"),
    "asin": Slopeless(0, lambda value, *_: abs(value) >= 1, "arcsin"),
    "acos": Slopeless(0, lambda value, *_: abs(value) >= 1, "arccos"),
    "acosh": Slopeless(0, lambda value, *_: value <= 1, "arccosh"),
    "atanh": Slopeless(0, lambda value, *_: abs(value) == 1, "arctanh"),
    "integer_pow": Slopeless(0, lambda value, _, params: (value == 0) & (params["y"] < 0), "the power"),
    "pow": Slopeless(0, _powers, "the power"),
}
LEFT_OUT = (
    "the gradient is NaN where {name} gets {number}: {choice} leaves the value out, but multiplies its slope, which is not"
    " finite, by 0; make the argument safe first: jnp.where(condition, x, 1.0)"
)
ALONE = (
    "the gradient is infinite or NaN: {name} gets {number}, where its slope is not finite; add a small number to its argument,"
    " or make it safe first: jnp.where(condition, x, 1.0)"
)


@dataclass(eq=False)
class Fault:
    """An operation without a slope, where it is met, and what has been said of it.

    Attributes:
        choice: where a choice leaves it out: that, and which of its branches it is in.
        chooser: the function that chooses, as people call it.
        is_judged: whether it is known that a derivative is taken of it, so that something has been said, or nothing is wrong.
        kept: what a derivative of the operation needs, so that JAX keeps it.
        said: what has been reported of it.
    """

    node: Node
    frames: Sequence[Any]
    place: ast.AST | None
    is_in_body: bool
    choice: tuple[Node, int] | None = None
    chooser: str = ""
    kept: frozenset[Any] = frozenset()
    is_judged: bool = False
    said: list[dict[str, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What people call the operation."""
        return SLOPELESS[self.node.name].name


@dataclass(eq=False)
class Body:
    """A function that JAX has traced once, however often it is called, and the choices in it that may be wrong."""

    trace: Any
    begun: Begun | None
    arguments: Sequence[Any]
    is_loop: bool
    is_conditional: bool
    is_within: bool
    times: int = 1
    faults: list[Fault] = field(default_factory=list)


class NanGradient(Rule):
    """Looks at what has no slope, and at what chooses."""

    KIND = "nan"
    UNSURE: ClassVar[str] = "nan-perhaps"

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._operations = Operations()
        self._bodies: dict[int, Body] = {}
        self._by_function: dict[int, list[Body]] = {}
        #: Operations without a slope that get such a number: whether a derivative comes to them, is seen at its end.
        self._met: list[Fault] = []
        self._trial: tuple[int, Trial] | None = None

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        if not self.is_followed:
            return
        by = _differentiated(call)
        self._keep_constant(call)
        body = self._body()
        self._bind_again(call, bool(by))
        if equations:
            self._operations.record(equations, by)
            if (by or body is not None) and identity(call.f) not in self._by_function:
                self._look(call, equations, body)
            self._confirm(equations)

    def _keep_constant(self, call: Call) -> None:
        """The numbers of an array that the program makes of none, or that it draws an array."""
        variable = arrays.variable_of(call.result) if arrays.is_array(call.result) else None
        if variable is not None and is_random(call.f):
            self._operations.drawn.add(variable)
        if variable is None or numbers.variables_in([call.args, call.kwargs]) != set():
            return
        if not self.interpreter.context.is_speculative and not arrays.is_made_up(variable):
            held = numbers.held_by(call.result)
            if held is not None and held.size <= numbers.MOST:
                self._operations.constants[variable] = held

    # What is looked at.

    def _look(self, call: Call, equations: Sequence[Any], body: Body | None) -> None:
        """Look for faults among the equations of a call."""
        nodes = [*self._nodes(equations)]
        if getattr(call.f, "__name__", "") in CHOOSING and module_root(call.f) == "jax":
            for choice in nodes:
                for fault in self._of_choice(choice, body is not None) if choice.name == "select_n" else ():
                    fault.chooser = (
                        f"jnp.{call.f.__name__}"
                        if hasattr(jnp, call.f.__name__)
                        else f"lax.{call.f.__name__}"
                    )
                    self._judge(fault)
                    if body is not None:
                        body.faults.append(fault)
        is_sure = not self.interpreter.context.is_speculative and (body is None or not body.is_conditional)
        node = next(filter(self._is_met, nodes), None) if is_sure else None
        if node is not None:
            fault = self._fault(node, body is not None)
            kept = [variable for equation in equations for variable in equation.outvars]
            fault.kept = frozenset(kept[1:])
            self._met = [*self._met[-MOST_MET:], fault]

    def _nodes(self, equations: Sequence[Any]) -> Iterator[Node]:
        """The operations that the equations are, with those within the functions that they call."""
        for equation in equations:
            if is_backward(equation) or not _is_of_interest(equation):
                continue
            outside = {identity(self._operations.node(each.val)) for each in equation.in_tracers}
            for variable in equation.outvars:
                inside = closure(
                    self._operations,
                    self._operations.node(variable),
                    lambda node, outside=outside: identity(node) in outside,
                )
                yield from (node for node in inside if identity(node) not in outside)
                if equation.primitive.name not in INLINED:
                    break

    def _fault(self, node: Node, is_in_body: bool, choice: tuple[Node, int] | None = None) -> Fault:
        interpreter = self.interpreter
        return Fault(node, [*interpreter.frames], interpreter.node, is_in_body, choice)

    def _of_choice(self, choice: Node, is_in_body: bool) -> Iterator[Fault]:
        """What has no slope in the branches of a choice."""
        starts = self._operations.starts(choice)

        def is_end(node: Node) -> bool:
            return node.name == "select_n" or identity(node) in starts

        for position, branch in enumerate(choice.inputs[1:]):
            for node in closure(self._operations, branch, is_end, FAR):
                if node.name in SLOPELESS:
                    yield self._fault(node, is_in_body, (choice, position))

    # What is found.

    def _is_met(self, node: Node) -> bool:
        """Whether an operation surely gets a number at which it has no slope, and a derivative is taken of it."""
        if node.name not in SLOPELESS:
            return False
        wrong = self._wrong(node, self._known())
        return wrong is not None and wrong.size > 0 and self._operations.is_differentiated(node)

    def _judge(self, fault: Fault) -> None:
        """Report an operation in a branch of a choice, if a derivative is taken of it and may become NaN."""
        if fault.is_judged or fault.choice is None or not self._operations.is_differentiated(fault.node):
            return
        fault.is_judged = True
        trial = self._known()
        wrong = self._wrong(fault.node, trial)
        number = _first(wrong)
        if number is None and (wrong is None or self._is_in_loop(fault.node)):
            number = self._number_found(fault)
        elif not _is_left_out(fault, trial):
            number = None
        if number is not None:
            message = LEFT_OUT.format(name=fault.name, number=number, choice=fault.chooser)
            fault.said.append(self._tell(fault, message, self.UNSURE))
            for met in self._met:
                if met.node is fault.node or _is_at_one_place(met, fault):
                    met.said = fault.said

    def _confirm(self, equations: Sequence[Any]) -> None:
        """Where the equations of a derivative come to an operation that was met, its gradient is surely wrong."""
        if not self._met:
            return
        backward = [each for each in equations if is_backward(each)]
        taken = {
            each.val for made in backward for each in made.in_tracers if not isinstance(each.val, Literal)
        }
        divisors = {identity(made.in_tracers[1].val) for made in backward if made.primitive.name == "div"}
        for fault in [*self._met]:
            divisor = fault.node.inputs[SLOPELESS[fault.node.name].position].variable
            if not fault.kept.isdisjoint(taken) or (divisor is not None and identity(divisor) in divisors):
                self._met.remove(fault)
                self._say(fault)

    def _say(self, fault: Fault) -> None:
        """Report an operation that was met."""
        for said in fault.said:
            said["kind"] = self.KIND
        if not fault.said:
            number = _first(self._wrong(fault.node, self._known()))
            self._tell(fault, ALONE.format(name=fault.name, number=number), self.KIND)

    def _tell(self, fault: Fault, message: str, kind: str) -> dict[str, Any]:
        return self.report(message, node=fault.place, frames=fault.frames, kind=kind)

    def _known(self) -> Trial:
        """The numbers that the program says."""
        times = self._operations.bound_times
        if self._trial is None or self._trial[0] != times:
            self._trial = times, Trial(self._operations)
        return self._trial[1]

    def _wrong(self, node: Node, trial: Trial) -> np.ndarray[Any, Any] | None:
        """The numbers at which an operation has no slope, of those that it gets; None if these are not known."""
        slopeless = SLOPELESS[node.name]
        value = trial.of(node.inputs[slopeless.position])
        if value is None or value.dtype.kind == "c":
            return None
        power = trial.of(node.inputs[1]) if node.name == "pow" else None
        at = np.asarray(slopeless.at(value, power, node.params))
        return np.broadcast_to(value, at.shape)[at]

    def _is_in_loop(self, node: Node) -> bool:
        """Whether the numbers of an array are known for the first round alone."""
        return any(
            binding.is_of_loop
            for each in closure(self._operations, node, lambda _: False)
            for binding in self._operations.bound(each)
        )

    def _number_found(self, fault: Fault) -> str | None:
        """A number for which an operation has no slope, and is not chosen; None if none is found."""
        if fault.choice is None:
            return None
        choice, _ = fault.choice
        starts = self._operations.starts(fault.node)
        unknown = self._unknown(fault.node.inputs[SLOPELESS[fault.node.name].position], starts)
        if not unknown & self._unknown(choice.inputs[0], starts):
            return None
        for number in TRIED:
            trial = Trial(self._operations, unknown, number)
            wrong = _first(self._wrong(fault.node, trial))
            if wrong is not None and _is_left_out(fault, trial):
                return wrong
        return None

    def _unknown(self, node: Node, starts: frozenset[int]) -> frozenset[int]:
        """What is not known that an array comes of; nothing is asked of what is before `starts`."""
        known = self._known()

        def is_end(each: Node) -> bool:
            return identity(each) in starts or self._is_opaque(each)

        ends = filter(is_end, closure(self._operations, node, is_end))
        return frozenset(identity(each) for each in ends if known.of(each) is None)

    def _is_opaque(self, node: Node) -> bool:
        """Whether nothing is known of how an operation comes by its numbers."""
        if node.variable is not None and node.variable in self._operations.drawn:
            return True
        if node.name == ARGUMENT:
            bound = self._operations.bound(node)
            return not bound or bound[-1].node is None or bound[-1].is_of_loop
        return not is_computed(node)

    # Functions that JAX traces.

    def _body(self) -> Body | None:
        """The function that JAX traces now; None if what is walked is not in one."""
        trace = traces.recording()
        if trace is None or trace is self.interpreter.traces.base:
            return None
        known = self._bodies.get(identity(trace))
        if known is None or known.trace is not trace:
            known = self._bodies[identity(trace)] = self._begin(trace)
        return known

    def _begin(self, trace: Any) -> Body:
        """The walk of a function has begun that JAX traces."""
        calls = reversed(self.interpreter.rules.calls)
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

    def _bind_again(self, call: Call, is_by: bool) -> None:
        """A function is called that JAX has traced before, so that it is not walked: its arguments are others now."""
        for body in self._by_function.get(identity(call.f), ()):
            if body.begun is None or body.begun.f is not call.f or body.begun.args is call.args:
                continue
            if body.times < MOST_TIMES and (is_by or body.is_within):
                body.times += 1
                self._bind(body, call.f, call.args, call.kwargs, is_under=False)
                for each in self._bodies.values():
                    for fault in each.faults:
                        self._judge(fault)

    def _bind(
        self, body: Body, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any], is_under: bool
    ) -> None:
        """What the arguments of a function are: they are in the order of the leaves of a call, perhaps after some others."""
        passed = [each for each in _leaves([args, kwargs]) if _is_passed(each)]
        taken = (
            _by_position(self.interpreter, f, args) if is_under and not any(map(_is_tangent, passed)) else ()
        )
        for variable, leaf in zip(reversed(body.arguments), reversed(passed), strict=False):
            if not _fits(variable, leaf, body.is_loop):
                continue
            place = numbers.place_of(leaf) if arrays.is_array(leaf) else None
            node = self._operations.node(place) if place is not None else None
            is_by = _is_tangent(leaf) or any(leaf is each for each in taken)
            self._operations.bound_times += 1
            self._operations.bindings.setdefault(variable, []).append(Binding(node, is_by, body.is_loop))


def _is_at_one_place(fault: Fault, other: Fault) -> bool:
    return fault.place is other.place and fault.frames[-1].number == other.frames[-1].number


def _arguments(trace: Any) -> Sequence[Any]:
    return [getattr(each, "val", each) for each in getattr(trace.frame, "invars", ())]


def _is_of_interest(equation: Any) -> bool:
    """Whether an equation chooses, has no slope somewhere, or has such within."""
    name = equation.primitive.name
    if name == "select_n" or name in SLOPELESS:
        return True
    function = equation.params.get("jaxpr") if name in ("jit", "pjit") else None
    return function is not None and _holds_interest(function)


#: Whether functions that JAX has traced have such within; they are kept, so that no others get their ids.
_interest: dict[int, tuple[Any, bool]] = {}


def _holds_interest(function: Any) -> bool:
    known = _interest.get(identity(function))
    if known is None:
        known = _interest[identity(function)] = (
            function,
            any(map(_is_of_interest, getattr(function, "jaxpr", function).eqns)),
        )
    return known[1]


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
    """Whether a trace is one of a derivative, or within such."""
    while trace is not None:
        if type(trace).__name__ in ("JVPTrace", "LinearizeTrace"):
            return True
        if hasattr(trace, "frame"):
            return False
        trace = getattr(trace, "parent_trace", None)
    return False


def _differentiated(call: Call) -> frozenset[Any]:
    """The variables and numbers of a call by which a derivative is taken."""
    holder = getattr(call.f, "__self__", None)
    each = [leaf for leaf in _leaves([holder, call.args, call.kwargs]) if _is_tangent(leaf)]
    return frozenset(key for key in map(_key_of, each) if key is not None)


def _key_of(leaf: Any) -> Any:
    while isinstance(leaf, jax.core.Tracer):
        inner = getattr(leaf, "val", None)
        leaf = getattr(leaf, "primal", None) if inner is None else inner
    if is_number(leaf):
        return ("number", float(leaf.val))
    return ("number", float(leaf)) if isinstance(leaf, float) else leaf if hasattr(leaf, "aval") else None


def _is_left_out(fault: Fault, trial: Trial) -> bool:
    """Whether a choice may take another branch than the one that an operation is in."""
    if fault.choice is None:
        return False
    choice, position = fault.choice
    which = trial.of(choice.inputs[0])
    return which is None or bool((which.astype(int) != position).any())


def _first(wrong: np.ndarray[Any, Any] | None) -> str | None:
    """One of some numbers, as people write it."""
    return None if wrong is None or wrong.size == 0 else f"{float(wrong.flat[0]):g}"


def _fits(variable: Any, leaf: Any, is_loop: bool) -> bool:
    """Whether an argument may be this."""
    aval = variable.aval
    if not arrays.is_array(leaf):
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
