"""The operations that JAX records in one walk, each with those that its inputs come of, also into and out of functions.

A node is looked at when it is asked for: most of what a program computes is of no interest to anybody.
"""

from __future__ import annotations

import functools
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.extend.core import Literal

from ...identity import identity

#: The names of nodes that are no operations: a number, an argument of a function, and what goes into a function.
CONSTANT, ARGUMENT, PASSED = "constant", "argument", "passed"
#: Operations whose function is looked into, by the name of the parameter that has it.
INLINED: Mapping[str, str] = {
    **dict.fromkeys(("jit", "pjit", "checkpoint", "remat", "remat2"), "jaxpr"),
    **dict.fromkeys(("custom_jvp_call", "custom_vjp_call"), "call_jaxpr"),
}
#: What no derivative goes through.
STOPPING = ("stop_gradient",)
#: What JAX writes into the names of equations that lead to a gradient.
BACKWARD = "transpose"
#: Nodes that are looked at for one question.
MOST_NODES = 300


@dataclass(eq=False)
class Node:
    """An array: what it is made by, of what, and by which of these a derivative is taken from here on.

    Attributes:
        is_by: for each input, whether a derivative is taken by it.
        variable: the one that it is in JAX's equations; None for a number.
        value: the number, if it is one.
        is_gradient: whether it is one, or made on the way to one: what it is made of, is of another derivative.
    """

    name: str
    aval: Any
    params: Mapping[str, Any] = field(default_factory=dict)
    made_of: Callable[[], Sequence[Node]] = tuple
    is_by: Sequence[bool] = ()
    variable: Any = None
    value: Any = None
    is_gradient: bool = False
    _inputs: Sequence[Node] | None = None

    @property
    def inputs(self) -> Sequence[Node]:
        """The arrays that it is made of."""
        if self._inputs is None:
            self._inputs = tuple(self.made_of())
        return self._inputs


@dataclass(frozen=True)
class Binding:
    """What an argument of a function is in one call, if that is known, and whether a derivative is taken by it.

    In a loop, it is so in the first round alone.
    """

    node: Node | None
    is_by: bool
    is_of_loop: bool = False


@dataclass(frozen=True)
class Recorded:
    """An equation, and the variables of the call that left it by which a derivative is taken; numbers in place of literals."""

    equation: Any
    by: frozenset[Any]


class Operations:
    """All equations of one walk."""

    def __init__(self) -> None:
        self._recorded: dict[Any, Recorded] = {}
        self._nodes: dict[Any, Node] = {}
        #: The numbers of constants of the program.
        self.constants: dict[Any, np.ndarray[Any, Any]] = {}
        #: Arrays that may have any numbers, whatever they are made of.
        self.drawn: set[Any] = set()
        #: What the arguments of functions are, the last call at the end; and how often some have got more of that.
        self.bindings: dict[Any, list[Binding]] = {}
        self.bound_times = 0
        #: Whether derivatives are taken of arrays, at the time when arguments had been bound so often.
        self._answers: dict[int, bool] = {}
        self._answered = 0

    def record(self, equations: Sequence[Any], by: frozenset[Any]) -> None:
        """Keep what a call has left."""
        for equation in equations:
            recorded = Recorded(equation, by)
            for variable in equation.outvars:
                self._recorded[variable] = recorded

    def node(self, variable: Any) -> Node:
        """The array in a variable of the walk, or the number that it is."""
        if isinstance(variable, Literal):
            return Node(CONSTANT, variable.aval, value=np.asarray(variable.val, variable.aval.dtype))
        if variable not in self._nodes:
            self._make(variable)
        return self._nodes[variable]

    def _make(self, variable: Any) -> None:
        recorded, constant = self._recorded.get(variable), self.constants.get(variable)
        if constant is not None:
            self._nodes[variable] = Node(CONSTANT, variable.aval, value=constant, variable=variable)
        elif recorded is None:
            self._nodes[variable] = Node(ARGUMENT, variable.aval, variable=variable)
        else:
            equation, variables = recorded.equation, [each.val for each in recorded.equation.in_tracers]
            is_by = [_key(each) in recorded.by for each in variables]
            nodes = made(equation, variables, is_by, self.node)
            for each, node in zip(equation.outvars, nodes, strict=True):
                node.variable = each
                node.is_gradient = is_backward(equation) and not recorded.by
            self._nodes.update(zip(equation.outvars, nodes, strict=True))

    def bound(self, node: Node) -> Sequence[Binding]:
        """What an argument of a function is."""
        return self.bindings.get(node.variable, ()) if node.name == ARGUMENT else ()

    def before(self, node: Node) -> Sequence[Node]:
        """The arrays that an operation computes this one from; for an argument, the array of the last call."""
        bound = self.bound(node)
        if bound:
            return [bound[-1].node] if bound[-1].node is not None and not bound[-1].is_of_loop else []
        return node.inputs

    def is_differentiated(self, node: Node) -> bool:
        """Whether a derivative is taken of it."""
        if self._answered != self.bound_times:
            self._answered, self._answers = self.bound_times, {}
        known = self._answers.get(identity(node))
        if known is None:
            known = self._answers[identity(node)] = self._leads_to_start(node)
        return known

    def _leads_to_start(self, node: Node) -> bool:
        todo, seen = [node], {identity(node)}
        while todo and len(seen) < MOST_NODES:
            for source, is_by in self._sources(todo.pop()):
                if source is not None and not is_inexact(source):
                    continue
                if is_by or (source is not None and self._answers.get(identity(source))):
                    return True
                if source is not None and identity(source) not in seen:
                    seen.add(identity(source))
                    if identity(source) not in self._answers:
                        todo.append(source)
        return False

    def starts(self, node: Node) -> frozenset[int]:
        """The arrays that a derivative is taken by, of those that an array comes of."""
        by = (
            source
            for each in closure(self, node, _never)
            for source, is_by in self._sources(each)
            if is_by and source is not None and not self.is_differentiated(source)
        )
        return frozenset(map(identity, by))

    def _sources(self, node: Node) -> Iterator[tuple[Node | None, bool]]:
        """What an array is made of, and whether a derivative is taken by that."""
        yield from ((binding.node, binding.is_by) for binding in self.bound(node))
        if node.name not in STOPPING and not node.is_gradient:
            yield from zip(node.inputs, node.is_by, strict=True)


def is_backward(equation: Any) -> bool:
    """Whether an equation is one of those that lead from a result back to a gradient."""
    return BACKWARD in str(equation.source_info.name_stack)


def made(
    equation: Any, variables: Sequence[Any], is_by: Sequence[bool], node_of: Callable[[Any], Node]
) -> Sequence[Node]:
    """The results of an equation."""
    name, params = equation.primitive.name, equation.params
    function = params.get(INLINED.get(name, ""))
    if function is not None and len(_inner(function).invars) == len(variables):
        inner = Within(function, lambda: [node_of(each) for each in variables], is_by)
        return [inner.result(each) for each in _inner(function).outvars]
    return [
        Node(name, each.aval, params, lambda: [node_of(variable) for variable in variables], is_by, each)
        for each in equation.outvars
    ]


class Within:
    """The operations of a function that JAX has traced, in one call of it."""

    def __init__(self, function: Any, passed: Callable[[], Sequence[Node]], is_by: Sequence[bool]) -> None:
        inner = _inner(function)
        self._makers = _makers(inner)
        constants = zip(inner.constvars, getattr(function, "consts", ()), strict=False)
        self._nodes: dict[Any, Node] = {
            variable: Node(CONSTANT, variable.aval, value=np.asarray(value))
            for variable, value in constants
            if isinstance(value, (np.ndarray, np.generic, int, float))
        }
        for position, variable in enumerate(inner.invars):
            self._nodes[variable] = Node(
                PASSED,
                variable.aval,
                made_of=functools.partial(_one_of, passed, position),
                is_by=[is_by[position]],
            )

    def result(self, variable: Any) -> Node:
        """A result of the function, which is not made before it is asked for."""
        return Node(PASSED, variable.aval, made_of=lambda: [self.node(variable)], is_by=[False])

    def node(self, variable: Any) -> Node:
        """An array within."""
        if isinstance(variable, Literal):
            return Node(CONSTANT, variable.aval, value=np.asarray(variable.val, variable.aval.dtype))
        if variable not in self._nodes:
            equation = self._makers.get(variable)
            if equation is None:
                self._nodes[variable] = Node(ARGUMENT, variable.aval)
            else:
                nodes = made(equation, equation.invars, [False] * len(equation.invars), self.node)
                self._nodes.update(zip(equation.outvars, nodes, strict=True))
        return self._nodes[variable]


def _never(_: Node) -> bool:
    return False


def _one_of(nodes: Callable[[], Sequence[Node]], position: int) -> Sequence[Node]:
    return [nodes()[position]]


def _inner(function: Any) -> Any:
    return getattr(function, "jaxpr", function)


#: The equation of each variable, by the function that it is in.
_makers_of: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


def _makers(inner: Any) -> dict[Any, Any]:
    known = _makers_of.get(inner)
    if known is None:
        known = _makers_of[inner] = {
            variable: equation for equation in inner.eqns for variable in equation.outvars
        }
    return known


def _key(variable: Any) -> Any:
    if isinstance(variable, Literal):
        return ("number", float(variable.val)) if is_number(variable) else None
    return variable


def is_number(variable: Any) -> bool:
    """Whether a variable is a literal real number."""
    return (
        isinstance(variable, Literal)
        and np.ndim(variable.val) == 0
        and is_inexact(variable)
        and np.isrealobj(variable.val)
    )


def is_inexact(node: Any) -> bool:
    """Whether an array has real or complex numbers, by which derivatives are taken."""
    return _is_inexact_dtype(getattr(node.aval, "dtype", None))


@functools.cache
def _is_inexact_dtype(dtype: Any) -> bool:
    return dtype is not None and bool(jnp.issubdtype(dtype, jnp.inexact))


def closure(
    operations: Operations, node: Node, stopping: Callable[[Node], bool], most: int = MOST_NODES
) -> Iterator[Node]:
    """A node, and those that it comes of, up to those that stop the way: the nearest ones, if there are many."""
    todo, seen = deque([node]), {identity(node)}
    while todo and len(seen) < most:
        each = todo.popleft()
        yield each
        if stopping(each):
            continue
        for source in operations.before(each):
            if identity(source) not in seen:
                seen.add(identity(source))
                todo.append(source)
