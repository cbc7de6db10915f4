"""Floats of few bits that meet a wider array, and become wide for the rest of the function: bfloat16 times float32.

What converts them is read from the equations of JAX, so that JAX's own promotion decides. A wide result that is soon cast back or
reduced, as in a softmax or a loss, is meant. It is reported if the program computes on with it, or if it is what remains.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...identity import identity
from ..control import Frame
from ..libraries.calls.methods import holder_of
from ..libraries.layers import calls as layers
from ..values import arrays
from .operands import Operand, Source, known_of, of_call, source_of
from .rule import Call, Rule
from .widened_message import is_few_bits, is_other, maker, makes, message, names_in, of_layer, of_operand
from .width_flow import Flow, is_wide

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Names of options that say of which dtype a result is.
DTYPE_OPTIONS = ("dtype", "preferred_element_type", "out_dtype", "param_dtype")
#: Functions that call another for each leaf of a tree, or again and again, and the parameter whose place the result takes.
REPLACED = {"map": 0, "tree_map": 0, "scan": 0, "while_loop": 0, "fori_loop": 1}
#: The dtypes that floats of few bits become.
WIDE = ("float32", "float64")
#: What stands for a conversion in the call that is looked at.
START = object()


@dataclass(eq=False)
class Widened:
    """An operation that made a wide array.

    Attributes:
        remaining: the variables of JAX with wide arrays of it that nothing has used yet, each with whether it is a scalar.
        is_used: whether the program computes on with a wide array.
    """

    frames: tuple[Frame, ...]
    node: ast.AST | None
    message: str
    origins: list[dict[str, Any]]
    remaining: dict[Any, bool] = field(default_factory=dict)
    is_used: bool = False

    @property
    def is_kept(self) -> bool:
        return self.is_used or not all(self.remaining.values())


class Widening(Rule):
    """Looks at what calls of JAX and of layers do with floats of few bits."""

    KIND = "widening"

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._widened: list[Widened] = []
        #: The variables of JAX with wide arrays, and the arrays of NumPy, each with the operation that made them wide.
        self._marked: dict[Any, Widened] = {}
        self._of_numpy: dict[int, tuple[Any, Widened]] = {}

    def before(self, equations: Sequence[Any]) -> None:
        if self._marked:
            self._follow(equations, None)

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        for value in (*call.args, *call.kwargs.values()) if self._of_numpy else ():
            self._passed(value)
        widens = bool(equations) and self._may_widen(call)
        if not (widens or self._marked):
            return
        started = self._follow(equations, START if widens else None)
        variable = arrays.variable_of(call.result) if arrays.is_array(call.result) else None
        if widens and variable in started:
            widened = self._seen(call)
            if widened is not None:
                self._marked[variable] = widened
        if variable in self._marked:
            self._marked[variable].remaining[variable] = _is_scalar(call.result)

    def of_numpy(self, call: Call) -> None:
        """NumPy has computed with arrays of its own."""
        known = known_of(call.result)
        if known is not None and known.dtype in WIDE and self.is_followed:
            widened = self._seen(call)
            if widened is not None:
                self._of_numpy[identity(call.result)] = call.result, widened

    def entered(self, made: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
        for value in (*args, *kwargs.values()) if self._of_numpy else ():
            self._passed(value)

    def _passed(self, value: Any) -> None:
        """An array of NumPy gets to JAX."""
        if identity(value) in self._of_numpy:
            self._of_numpy[identity(value)][1].is_used = True

    def _follow(self, equations: Sequence[Any], start: Any) -> set[Any]:
        """Follow what is marked; the variables of what is converted here."""
        started: set[Any] = set()

        def computes(mark: Any) -> None:
            if mark is not START:
                mark.is_used = True

        flow = Flow(start, computes)
        for equation in equations:
            variables = [tracer.val for tracer in equation.in_tracers]
            marks = [self._mark(variable, started) for variable in variables]
            for variable, mark in zip(variables, marks, strict=True):
                if isinstance(mark, Widened):
                    mark.remaining.pop(variable, None)
            if start is None and all(mark is None for mark in marks):
                continue
            for result, mark in zip(equation.outvars, flow.follow(equation, variables, marks), strict=True):
                if mark is START:
                    started.add(result)
                elif mark is not None:
                    self._marked[result] = mark
        return started

    def _mark(self, variable: Any, started: set[Any]) -> Any:
        try:
            return START if variable in started else self._marked.get(variable)
        except TypeError:  # a literal
            return None

    def _may_widen(self, call: Call) -> bool:
        """Whether a call gives a wide array, and the program has not asked for that."""
        result = call.result
        if not (arrays.is_array(result) and is_wide(result.dtype) and self.is_followed):
            return False
        context = self.interpreter.context
        return not context.conditions and not _asks(call) and not self._is_own(call.f)

    def _is_own(self, f: Any) -> bool:
        """Whether a call leads to functions of the program, whose own calls are looked at."""
        interpreter = self.interpreter
        while identity(f) in interpreter.made:
            f = interpreter.made[identity(f)].function
        holder = holder_of(f)
        classes = (type(f), type(holder), holder)
        return identity(f) in interpreter.functions or any(
            base in interpreter.classes for each in classes if isinstance(each, type) for base in each.__mro__
        )

    def _seen(self, call: Call) -> Widened | None:
        """The operation, if it is known what makes it wide."""
        node, frames = self.interpreter.node, self.interpreter.frames
        operands, result = [*of_call(call, node)], known_of(call.result)
        few = next((each for each in operands if is_few_bits(each)), None)
        if few is None or result is None or result.dtype is None:
            return None
        to_blame = next((each for each in operands if makes(few, each, result.dtype)), None)
        layer = self._layer(call.f)
        if to_blame is None and layer is None:
            return None
        source = None if to_blame is None else source_of(to_blame, frames)
        if to_blame is not None and (self._accumulates(to_blame, frames[-1], node) or self._follows(source)):
            return None
        remedy = (
            of_layer(few, layer or "")
            if to_blame is None
            else of_operand(few, to_blame, self._maker(to_blame, source))
        )
        why = f"the parameters of {layer} are {result.dtype}" if to_blame is None else is_other(to_blame)
        told = message(few, Operand(call.result, result, None), why, remedy)
        origins = [] if source is None or source.line == getattr(node, "lineno", 0) else [source.origin()]
        widened = Widened((*frames,), node, told, origins)
        self._widened.append(widened)
        return widened

    def _follows(self, source: Source | None) -> bool:
        """Whether an earlier operation has made an operand wide, which is reported where it is."""
        if source is None:
            return False
        of_numpy = self._of_numpy.get(identity(source.value))
        earlier = self._marked.get(arrays.variable_of(source.value)) if of_numpy is None else of_numpy[1]
        if earlier is not None:
            earlier.is_used = True
        return earlier is not None

    def _layer(self, f: Any) -> str | None:
        """The class of the layer of a library that is called."""
        while identity(f) in self.interpreter.made:
            f = self.interpreter.made[identity(f)].function
        holder = holder_of(f)
        subject = f if holder is None else holder
        return type(subject).__name__ if layers.is_layer(f) and not isinstance(subject, type) else None

    def _maker(self, operand: Operand, source: Source | None) -> str | None:
        """The function that makes an operand, if it can be asked for another dtype."""
        if source is None:
            return maker(operand.node)
        path = source.frame.scope.module.path
        trees = [tree for file, tree, _ in self.interpreter.texts.values() if file == path]
        return next((maker(source.expression(tree)) for tree in trees), None)

    def _accumulates(self, wide: Operand, frame: Frame, node: ast.AST | None) -> bool:
        """Whether the wide operand is what the result takes the place of: a sum, a state or parameters in float32."""
        if wide.node is None or any(isinstance(part, ast.Call) for part in ast.walk(wide.node)):
            return False
        names = names_in(wide.node)
        if isinstance(node, ast.AugAssign):
            return bool(names & names_in(node.target))
        called = frame.caller.func if isinstance(frame.caller, ast.Call) else None
        place = REPLACED.get(getattr(called, "attr", getattr(called, "id", "")))
        if place is not None and frame.node is not None:
            names_of_first = {each.arg for each in frame.node.args.args[place : place + 1]}
            if names & names_of_first:
                return True
        return any(names & targets for targets in self._targets(frame, node))

    def _targets(self, frame: Frame, node: ast.AST | None) -> Iterator[set[str]]:
        """The names that a statement assigns to which has the operation in it."""
        texts = self.interpreter.texts.values()
        trees = [tree for path, tree, _ in texts if path == frame.scope.module.path]
        for tree in trees if frame.node is None else [frame.node]:
            for each in ast.walk(tree):
                if isinstance(each, ast.Assign) and any(part is node for part in ast.walk(each.value)):
                    yield {name for target in each.targets for name in names_in(target)}

    def finished(self) -> None:
        """Report of each function the first operation whose result stays wide, however it is called."""
        by_node: dict[int, list[Widened]] = {}
        for widened in self._widened:
            by_node.setdefault(identity(widened.node), []).append(widened)
        reported: set[Any] = set()
        for each in by_node.values():
            first = each[0]
            frame = first.frames[-1]
            function = frame.scope.module.path if frame.node is None else identity(frame.node)
            if function not in reported and all(widened.is_kept for widened in each):
                reported.add(function)
                self.report(first.message, first.frames, first.node, first.origins)


def _asks(call: Call) -> bool:
    """Whether a call says of which dtype its result is, or a layer does."""
    holder = holder_of(call.f)
    fields = arrays.object_fields(call.f if holder is None else holder) or {}
    said = [*(call.kwargs.get(name) for name in DTYPE_OPTIONS), fields.get("dtype")]
    return any(each is not None for each in said) or any(map(_is_dtype, call.args))


def _is_dtype(value: Any) -> bool:
    return isinstance(value, np.dtype) or (isinstance(value, type) and hasattr(value, "dtype"))


def _is_scalar(value: Any) -> bool:
    return all(type(size) is int and size == 1 for size in value.shape)
