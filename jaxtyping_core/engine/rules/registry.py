"""All rules of a walk, and what tells them of its calls."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..libraries.calls.memo import OF_ARRAYS, module_root
from ..libraries.calls.methods import holder_of
from ..values import arrays, numbers, traces
from . import arithmetic
from .contents import Contents
from .index_bounds import IndexBounds, is_update
from .int_overflow import IntOverflow
from .key_reuse import KeyReuse
from .nan_gradient import NanGradient
from .outer_broadcast import OuterBroadcast
from .port import PortNumpy, PortTorch
from .recompile import Recompile
from .rule import Begun, Call, Rule, is_followed
from .widening import Widening
from .x64_lost import X64Lost

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..libraries.jax.transformations import Made

#: Where JAX keeps the equations of a trace. It is not public: without it, rules about equations say nothing.
EQUATIONS = "tracing_eqns"
RULES: tuple[type[Rule], ...] = (
    KeyReuse,
    X64Lost,
    IndexBounds,
    OuterBroadcast,
    IntOverflow,
    Recompile,
    Widening,
    NanGradient,
    PortNumpy,
    PortTorch,
)


class Rules:
    """The rules of one walk."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._rules = [kind(interpreter) for kind in RULES]
        #: The calls that the walk is in, the last one at the end.
        self.calls: list[Begun] = []
        #: How many equations of each trace have been read.
        self._read: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()

    def begin(self, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """A call of real code begins: the equations before it are none of its own."""
        depth = len(self._interpreter.frames)
        # Those of this depth and below it have ended, also where they raised something.
        while self.calls and self.calls[-1].depth >= depth:
            self.calls.pop()
        self.calls.append(Begun(f, args, kwargs, depth, traces.recording()))
        equations = self._new_equations()
        if equations:
            self._ask(lambda rule: rule.before(equations))

    def end(self, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """The call has given a result."""
        equations = self._new_equations()
        operations: list[arithmetic.Operation] = []
        try:
            operations += self._operations(f, args, kwargs, result, equations)
        except Exception as error:  # a fault of ours may be of any kind
            self._tell(self, error)
        call = Call(f, args, kwargs, result, operations)
        self._ask(lambda rule: rule.after(call, equations))

    def tried(self, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """A call has been tried since `begin`, with samples for what is not known of it."""
        equations, call = self._new_equations(), Call(f, args, kwargs, result)
        self._ask(lambda rule: rule.tried(call, equations))

    def of_numpy(self, f: Any, args: Sequence[Any], result: Any) -> None:
        """NumPy has computed with arrays of its own."""
        call = Call(f, args, {}, result)
        self._ask(lambda rule: rule.of_numpy(call))

    def transformed(self, made: Made) -> None:
        """A transformation has made something of a function."""
        self._ask(lambda rule: rule.transformed(made))

    def entered(self, made: Made, args: list[Any], kwargs: dict[str, Any]) -> None:
        """What a transformation has made has been called."""
        self._ask(lambda rule: rule.entered(made, args, kwargs))

    @contextmanager
    def apart(self) -> Iterator[None]:
        """A part of the evaluation that ends within: what rules have of it is told, and does not count for other parts."""
        lasting = (vars(rule)[name] for rule in self._rules for name in rule.LASTING)
        before = Contents(self._rules, [self._interpreter, self, *lasting])
        try:
            yield
            self.finished()
        finally:
            self.calls.clear()
            before.restore()

    def finished(self) -> None:
        """The walk has come to its end."""
        self._ask(lambda rule: rule.finished())

    def _ask(self, question: Callable[[Rule], None]) -> None:
        for rule in self._rules:
            try:
                question(rule)
            except Exception as error:  # a fault of ours may be of any kind
                self._tell(rule, error)

    def _tell(self, asked: object, error: Exception) -> None:
        """A fault of ours changes nothing of the walk: it is no exception of the program."""
        told = f"{type(asked).__name__}: {type(error).__name__}: {error}"
        self._interpreter.diagnostics.note(f"a rule failed, so findings may be missing: {told}")

    def _operations(
        self, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any, equations: Sequence[Any]
    ) -> Iterator[arithmetic.Operation]:
        """What a function of JAX has done with numbers that are known, in a call that some run of the program makes.

        A function that calls others may have come to stand-ins for what is not known.
        """
        if module_root(f) not in OF_ARRAYS or not is_followed(self._interpreter):
            return
        if any(map(_is_function, (*args, *kwargs.values()))):
            return
        holder = holder_of(f)
        update = [holder.array, holder.index] if is_update(holder) else holder
        variables = numbers.variables_in([update, args, kwargs])
        yield from arithmetic.follow(equations, variables)
        if variables == set() and arrays.is_array(result):
            numbers.keep_constant(result)

    def _new_equations(self) -> list[Any]:
        """The equations that have been recorded since this was asked last."""
        trace = traces.recording()
        equations = getattr(getattr(trace, "frame", None), EQUATIONS, None)
        if trace is None or equations is None:
            return []
        start = self._read.get(trace, 0)
        if start == len(equations):
            return []
        self._read[trace] = len(equations)
        made = (each() if isinstance(each, weakref.ref) else each for each in equations[start:])
        return [equation for equation in made if equation is not None]


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)
