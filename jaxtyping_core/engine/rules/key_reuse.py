"""Random keys that the program uses twice: then it gets the same random numbers twice.

JAX records each of its operations as an equation, whatever has led to it: the program itself, a library, or a transformation.
So what calls do with keys is read from the equations that they leave, by `key_flow`. A key is the variable that it was made as.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax

from ...identity import identity
from ..origins import origin
from ..values import arrays, heap
from ..values.contents import Seen
from .key_flow import Flow, Part, Region, Use, whole
from .rule import Call, Rule
from .ways import Step, differ, is_on_one_way, way_to

if TYPE_CHECKING:
    from ..interpreter import Interpreter

REMEDY = "use a key once, and get new ones from it: key, subkey = jax.random.split(key)"
USED = "this key was already used by {name}; " + REMEDY
WITHIN = "{name} in {function}"
#: What has a name of its own.
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type)
EACH_ROUND = (
    "{name} uses this key again in each round of the loop, and gets the same random numbers; " + REMEDY
)


@dataclass(frozen=True)
class Consumed:
    """A use of keys.

    Attributes:
        way: the calls that led there, the first one first; `files` and `functions` are where each place is.
        conditions: the conditions of unknown outcome that it was under.
        name: the function that used them.
    """

    region: Region
    way: tuple[Step, ...]
    conditions: tuple[int, ...]
    name: str
    files: tuple[str, ...]
    functions: tuple[str, ...]


class Consumption(Seen):
    """The uses of each key on the ways that have led to where the walk is."""

    def __init__(self) -> None:
        self.variables: dict[Any, tuple[Consumed, ...]] = {}

    def outside(self) -> Iterable[Any]:
        return ()

    def joined(self, ways: Sequence[dict[Any, Any]]) -> dict[Any, Any]:
        """The uses on any of several ways: which of them are on one with a later use, their conditions tell."""
        roots = dict.fromkeys(root for each in ways for root in each)
        return {
            root: tuple(dict.fromkeys(use for each in ways for use in each.get(root, ()))) for root in roots
        }


class KeyReuse(Rule):
    """The keys of one walk."""

    KIND = "key"

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._flow = Flow()
        self._uses = Consumption()
        #: The keys that came of a key and a known number.
        self._folded: dict[tuple[Part, int], Any] = {}
        #: The functions of `jax.random` that were seen to consume their keys.
        self._consuming: set[Any] = set()

    def before(self, equations: Sequence[Any]) -> None:
        self._consumed_by(equations)

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        uses = self._consumed_by(equations)
        if call.f is jax.random.fold_in:
            self._fold(call.args, call.result)
        if uses and self.is_followed:
            way = way_to(self.interpreter)
            for use in uses:
                self._use(use, call.f, way)

    def tried(self, call: Call, equations: Sequence[Any]) -> None:
        """A function of `jax.random` uses its key once, however often it is tried."""
        tried = self._consumed_by(equations)
        if not (is_random(call.f) and self.is_followed):
            return
        part = self._flow.part(arrays.variable_of(call.args[0] if call.args else call.kwargs.get("key")))
        if part is None or arrays.is_made_up(part.root):
            return
        if any(use.part.root == part.root for use in tried):
            self._consuming.add(call.f)
        if call.f in self._consuming:
            self._use(Use(part), call.f, way_to(self.interpreter))

    def _consumed_by(self, equations: Sequence[Any]) -> list[Use]:
        """What equations consume."""
        uses: list[Use] = []
        for made in equations:
            inputs = [tracer.val for tracer in made.in_tracers]
            uses += self._flow.follow(made.primitive, made.params, inputs, made.outvars)
        return [use for use in uses if not arrays.is_made_up(use.part.root)]

    def _fold(self, args: Sequence[Any], result: Any) -> None:
        """A key and a known number: the same ones give the same key."""
        if len(args) != 2 or type(args[1]) is not int:
            return
        key, variable = self._flow.part(arrays.variable_of(args[0])), arrays.variable_of(result)
        if key is None or variable is None or arrays.is_made_up(key.root):
            return
        first = self._folded.setdefault((key, args[1]), variable)
        if first is not variable:
            is_raw = self._flow.part(variable) is None or variable in self._flow.parts
            self._flow.parts[variable] = self._flow.part(first) or whole(first, first.aval, is_raw)

    def _use(self, use: Use, f: Any, way: tuple[Step, ...]) -> None:
        """Note a use, and report it if the keys have been used on the way to it."""
        interpreter, part = self.interpreter, use.part
        conditions = interpreter.context.conditions
        name = name_of(interpreter, f)
        before = self._uses.variables.get(part.root, ())
        if use.again:
            self._report(len(way) - 1, EACH_ROUND.format(name=name))
        for earlier in before:
            place = differ(earlier.way, way)
            if place is None or not part.overlaps(earlier.region):
                continue
            if is_on_one_way(earlier.conditions, conditions):
                self._again(earlier, way, place, name)
                break
        files = tuple(frame.scope.module.path for frame in interpreter.frames)
        functions = tuple(frame.name for frame in interpreter.frames)
        heap.changing(self._uses)
        consumed = Consumed(part.region, way, conditions, name, files, functions)
        self._uses.variables[part.root] = (*before, consumed)

    def _again(self, earlier: Consumed, way: tuple[Step, ...], place: int, name: str) -> None:
        """Report a second use where the ways to both part."""
        then = earlier.way[place]
        if then.node is way[place].node:
            self._report(place, EACH_ROUND.format(name=name))
            return
        is_within = place + 1 < len(earlier.functions)
        used_by = (
            WITHIN.format(name=earlier.name, function=earlier.functions[place + 1])
            if is_within
            else earlier.name
        )
        line = getattr(then.node, "lineno", 0)
        self._report(
            place, USED.format(name=used_by), [origin(earlier.files[place], line, "the key", "used")]
        )

    def _report(self, place: int, message: str, origins: Sequence[Any] = ()) -> None:
        frames = self.interpreter.frames[: place + 1]
        self.report(message, frames, way_to(self.interpreter)[place].node, origins)


def name_of(interpreter: Interpreter, f: Any) -> str:
    """A function as messages name it."""
    made = interpreter.made.get(identity(f))
    called = made.function if made else f
    # What other objects answer to a question for an attribute may be code of a library.
    name = called.__name__ if isinstance(called, FUNCTIONS) else type(called).__name__
    return f"jax.random.{name}" if is_random(f) else name


def is_random(f: Any) -> bool:
    """Whether a function is one of `jax.random`."""
    return _of_random().get(id(f)) is f


@functools.cache
def _of_random() -> dict[int, Any]:
    return {id(f): f for f in vars(jax.random).values() if callable(f)}
