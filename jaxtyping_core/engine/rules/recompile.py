"""Functions that JAX compiles again: for each new signature, and for each new function that a loop makes."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...identity import identity
from ..control import Frame
from ..libraries.jax.transformations import KEEPING
from ..origins import origin
from ..values import arrays, traces
from ..values.unknowns import is_unknown
from .compiled_again import message
from .rule import Rule
from .signatures import PLAIN, Signature, signature_of
from .text_flow import names_of
from .ways import Step, is_in_another_round, is_on_one_way, way_to

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..libraries.jax.transformations import Made

IN_LOOP = (
    "each round of the loop makes a new function, and JAX compiles it again; call {transformation} before the loop,"
    " and pass what changes as arguments"
)
#: Values that are no functions or objects.
DATA = (*PLAIN, list, tuple, dict, set, np.ndarray, np.generic)
#: Signatures of a function that are kept.
MOST = 64


class Entered(NamedTuple):
    """A call with a new signature: the calls that led there, its node, and the conditions of unknown outcome around."""

    signature: Signature
    frames: tuple[Frame, ...]
    node: ast.AST | None
    conditions: tuple[int, ...]


@dataclass
class Entries:
    """The calls of a jitted function; `is_open` if some are not exactly known."""

    made: Made
    calls: list[Entered] = field(default_factory=list)
    is_open: bool = False


class Making(NamedTuple):
    """Where a loop makes a jitted function, and which functions and objects that uses."""

    way: tuple[Step, ...]
    conditions: tuple[int, ...]
    frames: tuple[Frame, ...]
    node: ast.AST | None
    used: Mapping[str, Any]


class Recompile(Rule):
    """Looks at the jitted functions of a walk, and at what they are entered with."""

    KIND = "compiled"

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._entries: dict[Any, Entries] = {}
        self._makings: dict[int, Making] = {}
        #: The functions that each node of a loop has made, with the signatures that they were entered with.
        self._rounds: dict[int, list[tuple[Making, Made, Signature]]] = {}
        self._in_loops: dict[int, tuple[Making, Made]] = {}

    def transformed(self, made: Made) -> None:
        frames = self.interpreter.frames
        if (
            any(frame.turns for frame in frames)
            and _compiles(made)
            and self._is_at_base
            and not _is_kept(frames)
        ):
            context, used = self.interpreter.context, _used_by(self.interpreter, made.function)
            self._makings[identity(made.value)] = Making(
                way_to(self.interpreter), context.conditions, (*frames,), self.interpreter.node, used
            )

    def entered(self, made: Made, args: list[Any], kwargs: dict[str, Any]) -> None:
        if not (self.is_followed and self._is_at_base and _compiles(made)):
            return
        frames, context = self.interpreter.frames, self.interpreter.context
        # Each program that is evaluated together with others runs by itself.
        static = [repr(made.options.get(option)) for option in ("static_argnums", "static_argnames")]
        key = frames[0].number, identity(made.function), identity(made.by), *static
        entries = self._entries.setdefault(key, Entries(made))
        signature = signature_of(made, args, kwargs)
        if signature is None or len(entries.calls) >= MOST:
            entries.is_open = True
            return
        if all(call.signature != signature for call in entries.calls):
            call = Entered(signature, (*frames,), self.interpreter.node, context.conditions)
            entries.calls.append(call)
            self._made_again(made, signature)

    @property
    def _is_at_base(self) -> bool:
        """Whether JAX compiles what is called here: under a transformation it becomes a part of that."""
        return traces.current() is self.interpreter.traces.base and not self.interpreter.context.axes

    def _made_again(self, made: Made, signature: Signature) -> None:
        """Note a function that was made in a loop, which another round may have made for the same arguments."""
        making = self._makings.get(identity(made.value))
        if making is None or making.node is None:
            return
        rounds = self._rounds.setdefault(identity(making.node), [])
        if any(
            _is_made_again(making, made, earlier, other)
            for earlier, other, entered in rounds
            if entered == signature
        ):
            self._in_loops.setdefault(identity(making.node), (making, made))
        rounds.append((making, made, signature))

    def finished(self) -> None:
        for making, made in self._in_loops.values():
            name = getattr(made.by, "__name__", "jit")
            self.report(IN_LOOP.format(transformation=name), node=making.node, frames=making.frames)
        for entries in self._entries.values():
            self._tell(entries)

    def _tell(self, entries: Entries) -> None:
        together = _on_one_way(entries.calls)
        if len(together) < 2:
            return
        last = together[-1]
        told = message(
            _name(entries.made),
            [call.signature for call in together],
            len(together) < len(entries.calls) or entries.is_open,
        )
        places = [(call.frames[-1].scope.module.path, getattr(call.node, "lineno", 0)) for call in together]
        lines = dict.fromkeys(place for place in places if place != places[-1])
        what = _name(entries.made)
        self.report(
            told,
            node=last.node,
            frames=last.frames,
            origins=[origin(*place, what, "compiled") for place in lines],
        )


def _on_one_way(calls: Sequence[Entered]) -> list[Entered]:
    """Those calls that one run comes to, for all that is known."""
    together: list[Entered] = []
    for call in calls:
        if all(is_on_one_way(other.conditions, call.conditions) for other in together):
            together.append(call)
    return together


def _is_made_again(making: Making, made: Made, earlier: Making, other: Made) -> bool:
    """Whether another round of a loop has made the function before, of the same functions and objects."""
    return (
        made.function is not other.function
        and is_in_another_round(earlier.way, making.way)
        and is_on_one_way(earlier.conditions, making.conditions)
        # A round has a condition, and what is made only if something is not there yet has one more.
        and len(making.conditions) - len(earlier.conditions) <= 1
        and making.used == earlier.used
    )


def _compiles(made: Made) -> bool:
    """Whether JAX compiles what a transformation has made when it is called."""
    return made.kind in KEEPING and callable(getattr(made.value, "lower", None))


def _name(made: Made) -> str:
    name = str(getattr(made.function, "__name__", "the function"))
    return "the lambda" if name == "<lambda>" else name


def _is_kept(frames: Iterable[Frame]) -> bool:
    """Whether what functions on the way give is kept for the next call."""
    decorators = (each for frame in frames for each in getattr(frame.node, "decorator_list", ()))
    return any("cache" in name for each in decorators for node in ast.walk(each) for name in names_of(node))


def _used_by(interpreter: Interpreter, function: Any) -> Mapping[str, Any]:
    """The functions and objects that a function uses, or is made of."""
    while identity(function) in interpreter.made:
        function = interpreter.made[identity(function)].function
    if isinstance(function, types.MethodType):
        return {"self": identity(function.__self__)}
    if isinstance(function, functools.partial):
        passed = [*function.args, *function.keywords.values()]
        return {str(i): _which(interpreter, each) for i, each in enumerate([function.func, *passed])}
    known = interpreter.functions.get(identity(function))
    if known is None:
        return {"function": identity(function)}
    names = {node.id for node in ast.walk(known.node) if isinstance(node, ast.Name)}
    holders = {name: known.scope.holder(name) for name in names}
    return {
        name: _which(interpreter, holder.variables[name])
        for name, holder in holders.items()
        if holder is not None
    }


def _which(interpreter: Interpreter, value: Any) -> Any:
    """Which function or object a value is; functions are the same that are made of one text. None for numbers, texts and trees."""
    while identity(value) in interpreter.made:
        value = interpreter.made[identity(value)].function
    known = interpreter.functions.get(identity(value))
    if known is not None:
        return identity(known.node)
    is_data = arrays.is_jax(value) or is_unknown(value) or isinstance(value, DATA)
    return None if is_data else identity(value)
