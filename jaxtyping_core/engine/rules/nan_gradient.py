"""Gradients that are NaN where a function has no slope: `jnp.where` leaves its value out, and multiplies its infinite slope by 0.

Where a derivative is taken, JAX's equations and its tracers tell. A branch of `jnp.where` is tried with a few numbers for what is
not known: if one is found for which the function has no slope, and the condition chooses the other branch, the gradient is NaN
for that number.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jax.extend.core import Literal

from ...identity import identity
from ..libraries.calls.memo import module_root
from ..values import arrays, numbers
from .derivatives import Body, TracedFunctions, differentiated
from .key_reuse import is_random
from .operations import (
    ARGUMENT,
    INLINED,
    Node,
    Operations,
    closure,
    is_backward,
)
from .rule import Call, Rule
from .slopeless import SLOPELESS
from .uniform import Trial, is_computed

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: What is tried for arrays that are not known.
TRIED = (0.0, 1.0, -1.0)
#: The functions of JAX that choose between values.
CHOOSING = ("where", "select", "select_n", "piecewise")
#: How far before a choice an operation is looked for.
FAR = 60
#: How many equations a call leaves at most of which the derivative needs all, or none.
MOST_EQUATIONS = 4
#: How many operations are kept of which it is not known whether a derivative comes to them.
MOST_MET = 100


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


class NanGradient(Rule):
    """Looks at what has no slope, and at what chooses."""

    KIND = "nan"
    UNSURE: ClassVar[str] = "nan-perhaps"

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._operations = Operations()
        self._functions = TracedFunctions(interpreter, self._operations)
        #: Operations without a slope that get such a number: whether a derivative comes to them, is seen at its end.
        self._met: list[Fault] = []
        self._trial: tuple[int, Trial] | None = None

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        if not self.is_followed:
            return
        by = differentiated(call)
        self._keep_constant(call)
        body = self._functions.current()
        if self._functions.bind_again(call, bool(by)):
            for fault in self._functions.kept():
                self._judge(fault)
        if equations:
            self._operations.record(equations, by)
            if (by or body is not None) and call.f not in self._functions:
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
                    fault.chooser = _path(call.f.__name__)
                    self._judge(fault)
                    if body is not None:
                        body.kept.append(fault)
        is_sure = not self.interpreter.context.is_speculative and (body is None or not body.is_conditional)
        is_sure = is_sure and len(equations) <= MOST_EQUATIONS
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
                yield from self._inside(self._operations.node(variable), outside)
                if equation.primitive.name not in INLINED:
                    break

    def _inside(self, node: Node, outside: Container[int]) -> Iterator[Node]:
        """What an array is made of within an equation."""

        def is_outside(each: Node) -> bool:
            return identity(each) in outside

        return (each for each in closure(self._operations, node, is_outside) if not is_outside(each))

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
        wrong: np.ndarray[Any, Any] = np.broadcast_to(value, at.shape)[
            at
        ]  # NumPy's own types differ by its release
        return wrong

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


def _is_at_one_place(fault: Fault, other: Fault) -> bool:
    return fault.place is other.place and fault.frames[-1].number == other.frames[-1].number


def _path(name: str) -> str:
    """A function that chooses, as people call it."""
    return f"jnp.{name}" if hasattr(jnp, name) else f"lax.{name}"


def _is_of_interest(equation: Any) -> bool:
    """Whether an equation chooses, has no slope somewhere, or has such within."""
    name = equation.primitive.name
    if name == "select_n" or name in SLOPELESS:
        return True
    function = equation.params.get("jaxpr") if name in ("jit", "pjit") else None
    return function is not None and _holds_interest(function)


#: Whether functions that JAX has traced have such within; so many are kept, so that no others get their ids.
MOST_KEPT = 2000
_interest: dict[int, tuple[Any, bool]] = {}


def _holds_interest(function: Any) -> bool:
    known = _interest.get(identity(function))
    if known is None:
        if len(_interest) >= MOST_KEPT:
            _interest.clear()
        known = _interest[identity(function)] = (
            function,
            any(map(_is_of_interest, getattr(function, "jaxpr", function).eqns)),
        )
    return known[1]


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
