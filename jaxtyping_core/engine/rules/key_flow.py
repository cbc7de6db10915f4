"""Which random keys the equations of JAX consume, and which of their results are the same keys again.

What a primitive consumes is in JAX's own table, `jax.experimental.key_reuse`. Keys of the older form, arrays of two words, are
followed as well: JAX wraps and unwraps these wherever they are used. Where a result may be a key that is not known, it is taken
for a new one: then a second use of the key is missed, and nothing wrong is said.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import jax
from jax.extend.core import Literal

#: From where to where a key of several reaches, for each axis of the array that was made of them.
Region = tuple[tuple[int, int], ...]
#: More than any array has.
ENDLESS = 2**62
#: In the place of an axis: it was added to the key, or its numbers are the words of one.
ADDED, WORDS = -1, -2


@dataclass(frozen=True)
class Part:
    """A key, or several, of those that were made together.

    Attributes:
        root: what they were made as: a variable of JAX, or the position of an argument.
        region: which of these they are.
        axes: for each axis of the array which axis of the root it is.
    """

    root: Any
    region: Region
    axes: tuple[int, ...]

    def overlaps(self, region: Region) -> bool:
        """Whether some of the keys are among those of another region of the root."""
        return all(
            start < other_end and other_start < end
            for (start, end), (other_start, other_end) in zip(self.region, region, strict=True)
        )

    def at(self, axis: int, start: int, end: int) -> Part | None:
        """The keys between two positions of an axis; None for some words of each."""
        place = self.axes[axis]
        if place == WORDS:
            return None
        if place == ADDED:
            return self
        first = self.region[place][0]
        region = [*self.region]
        region[place] = (first + start, min(first + end, self.region[place][1]))
        return replace(self, region=tuple(region))

    def within(self, region: Region) -> Part:
        """The keys of a region of this, whose axes are those of the array."""
        inner: Part = self
        for axis, (start, end) in enumerate(region):
            inner = inner.at(axis, start, end) or inner
        return inner


def whole(root: Any, aval: Any, is_raw: bool = False) -> Part:
    """All keys of an array; with `is_raw`, of one whose last axis has their words."""
    sizes = aval.shape[:-1] if is_raw else aval.shape
    region = tuple((0, size if type(size) is int else ENDLESS) for size in sizes)
    return Part(root, region, (*range(len(sizes)), *((WORDS,) if is_raw else ())))


def is_key(aval: Any) -> bool:
    """Whether an array is of keys."""
    dtype = getattr(aval, "dtype", None)
    return dtype is not None and jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key)


def may_be_raw(aval: Any) -> bool:
    """Whether an array may be of keys of the older form: there is no telling their words from other numbers."""
    return str(getattr(aval, "dtype", "")) == "uint32" and len(aval.shape) > 0


@dataclass(frozen=True)
class Use:
    """Keys that an equation consumes; with `again`, once more in each of several rounds of a loop."""

    part: Part
    again: bool = False


@dataclass
class Flow:
    """The keys of one list of equations.

    Attributes:
        parts: the keys in the variables that are not the ones that these were made as.
    """

    parts: dict[Any, Part] = field(default_factory=dict)

    def part(self, variable: Any) -> Part | None:
        """The keys in a variable; None if it is none of keys."""
        if variable is None or isinstance(variable, Literal):
            return None
        known = self.parts.get(variable)
        return whole(variable, variable.aval) if known is None and is_key(variable.aval) else known

    def follow(
        self, primitive: Any, params: Mapping[str, Any], inputs: Sequence[Any], outputs: Sequence[Any]
    ) -> Iterator[Use]:
        """What an equation consumes."""
        name = primitive.name
        if name == "random_wrap":
            self._put(outputs[0], self._wrapped(inputs[0]))
        elif name == "random_unwrap":
            part = self.part(inputs[0])
            self._put(outputs[0], part and replace(part, axes=(*part.axes, WORDS)))
        elif inner := _functions(params):
            if any(self._may_hold(each) for each in inputs):
                yield from self._of_functions(name, params, inner, inputs, outputs)
        elif inputs and (part := self.part(inputs[0])) is not None:
            if _consumes(primitive):
                yield Use(part)
            elif name in _RESULTS:
                for variable, made in zip(outputs, _RESULTS[name](part, params, outputs), strict=True):
                    self._put(variable, made)
            elif _forwards(primitive) and inputs[0].aval.shape == outputs[0].aval.shape:
                self._put(outputs[0], part)

    def _put(self, variable: Any, part: Part | None) -> None:
        if part is not None:
            self.parts[variable] = part

    def _wrapped(self, words: Any) -> Part | None:
        """The keys that words become."""
        if isinstance(words, Literal):
            return None
        part = self.parts.get(words)
        if part is None:
            part = self.parts[words] = whole(words, words.aval, is_raw=True)
        return replace(part, axes=part.axes[:-1]) if part.axes and part.axes[-1] == WORDS else None

    def _may_hold(self, variable: Any) -> bool:
        """Whether a variable may have keys."""
        if isinstance(variable, Literal):
            return False
        return may_be_raw(variable.aval) or self.part(variable) is not None

    def _outer(self, variable: Any, inner: Part) -> Part | None:
        """Keys in an argument of a function, as keys of the variable that is passed."""
        part = self.part(variable)
        if part is None and not isinstance(variable, Literal):
            part = self.parts[variable] = whole(variable, variable.aval, is_raw=True)
        if part is None or len(inner.region) > len(part.axes):
            return part
        return part.within(inner.region)

    def _of_functions(
        self,
        name: str,
        params: Mapping[str, Any],
        inner: list[Any],
        inputs: Sequence[Any],
        outputs: Sequence[Any],
    ) -> Iterator[Use]:
        summaries = [summary(each) for each in inner]
        if name == "scan":
            yield from self._of_loop(params, summaries[0], inputs, outputs)
        elif name == "cond":
            first, *others = summaries
            for part in first.consumed:
                if all(
                    any(part.root == each.root and part.overlaps(each.region) for each in other.consumed)
                    for other in others
                ):
                    yield from self._use(inputs[1:], part)
        elif len(summaries) == 1 and summaries[0].inputs == len(inputs):
            for part in summaries[0].consumed:
                yield from self._use(inputs, part)
            for variable, made in zip(outputs, summaries[0].results, strict=False):
                if made is not None:
                    outer = self._outer(inputs[made.root], made)
                    if outer is not None and outer.axes == made.axes:
                        self._put(variable, outer)

    def _use(self, inputs: Sequence[Any], part: Part, again: bool = False) -> Iterator[Use]:
        outer = self._outer(inputs[part.root], part) if part.root < len(inputs) else None
        if outer is not None:
            yield Use(outer, again)

    def _of_loop(
        self, params: Mapping[str, Any], body: Summary, inputs: Sequence[Any], outputs: Sequence[Any]
    ) -> Iterator[Use]:
        """A loop whose body gets constants, what it carries, and rows."""
        constants, carried = _counts(params, len(outputs), body)
        if constants is None or body.inputs != len(inputs):
            return
        length = params.get("length")
        several = type(length) is int and length > 1
        for part in body.consumed:
            position = part.root
            if position >= constants + carried:
                rows = self._outer(inputs[position], replace(part, region=()))
                if rows is not None:
                    yield Use(rows)
                continue
            kept = position < constants or _is_kept(body.results[position - constants], part)
            yield from self._use(inputs, part, again=several and kept)


def _is_kept(result: Part | None, part: Part) -> bool:
    """Whether a round leaves the keys that it has consumed to the next one."""
    return result is not None and result.root == part.root and result.overlaps(part.region)


def _counts(params: Mapping[str, Any], outputs: int, body: Summary) -> tuple[int | None, int]:
    """How many constants a loop has, and how much it carries: releases of JAX tell it in two ways."""
    if "num_consts" in params:
        return params["num_consts"], params["num_carry"]
    try:
        constants, carried, _ = (len(group) for group in params["ft_in"].unpack())
    except Exception:  # another release tells it in a third way: then nothing is known
        return None, 0
    return constants, carried


@dataclass(frozen=True)
class Summary:
    """What a function does with the keys in its arguments: their positions are the roots."""

    inputs: int
    consumed: tuple[Part, ...]
    results: tuple[Part | None, ...]


#: Those of functions that JAX has traced; these are kept, so that no others get their ids.
_summaries: dict[int, tuple[Any, Summary]] = {}
#: Summaries that are kept.
MOST = 2000


def summary(function: Any) -> Summary:
    """What a function that JAX has traced does with keys."""
    known = _summaries.get(id(function))
    if known is None:
        if len(_summaries) >= MOST:
            _summaries.clear()
        known = _summaries[id(function)] = (function, _summarized(function))
    return known[1]


def _summarized(function: Any) -> Summary:
    jaxpr = getattr(function, "jaxpr", function)
    flow = Flow()
    positions = {variable: i for i, variable in enumerate(jaxpr.invars)}
    # Nothing is said of them before the first is wrapped, and rows of them may have been taken by then.
    flow.parts = {each: whole(each, each.aval, is_raw=True) for each in jaxpr.invars if may_be_raw(each.aval)}
    consumed = [
        replace(use.part, root=positions[use.part.root])
        for equation in jaxpr.eqns
        for use in flow.follow(equation.primitive, equation.params, equation.invars, equation.outvars)
        if use.part.root in positions
    ]
    results: list[Part | None] = []
    for variable in jaxpr.outvars:
        part = flow.part(variable)
        is_argument = part is not None and part.root in positions
        results.append(replace(part, root=positions[part.root]) if part is not None and is_argument else None)
    return Summary(len(jaxpr.invars), tuple(consumed), tuple(results))


def _functions(params: Mapping[str, Any]) -> list[Any]:
    """The functions that an equation has among its parameters."""
    inner = [value for value in params.values() if _is_function(value)]
    branches = params.get("branches")
    return (
        inner + [value for value in branches if _is_function(value)]
        if isinstance(branches, (tuple, list))
        else inner
    )


def _is_function(value: Any) -> bool:
    return hasattr(getattr(value, "jaxpr", value), "eqns")


# What JAX's table says.


#: The module of JAX with its table. It is not public, so it may be gone in a later release.
TABLE = "jax.experimental.key_reuse._core"


def _table() -> Mapping[Any, Any]:
    try:
        table: Mapping[Any, Any] = importlib.import_module(TABLE).key_reuse_signatures
    except (ImportError, AttributeError):  # a release without it: then nothing is said of keys
        return {}
    return table


#: By the name of each primitive, whether it consumes its first input, and whether that is its result, too.
_signatures: dict[str, tuple[bool, bool]] = {}


def _signature(primitive: Any) -> tuple[bool, bool]:
    known = _signatures.get(primitive.name)
    if known is None:
        rule = _table().get(primitive)
        sinks = [sink.idx for sink in getattr(rule, "sinks", ())]
        forwards = [(forward.in_idx, forward.out_idx) for forward in getattr(rule, "forwards", ())]
        known = _signatures[primitive.name] = (sinks == [0], (0, 0) in forwards)
    return known


def _consumes(primitive: Any) -> bool:
    return _signature(primitive)[0]


def _forwards(primitive: Any) -> bool:
    return _signature(primitive)[1]


# What the results are of operations that change the shape of an array of keys.


def _sliced(part: Part, params: Mapping[str, Any], _: Sequence[Any]) -> list[Part | None]:
    if params["strides"] is not None and any(step != 1 for step in params["strides"]):
        return [None]
    made: Part | None = part
    for axis, (start, end) in enumerate(zip(params["start_indices"], params["limit_indices"], strict=True)):
        if made is None or not (type(start) is int and type(end) is int):
            return [None]
        is_all = part.axes[axis] == WORDS and (start, end) == (0, 2)
        made = made if is_all else made.at(axis, start, end)
    return [made]


def _squeezed(part: Part, params: Mapping[str, Any], _: Sequence[Any]) -> list[Part | None]:
    gone = params["dimensions"]
    return [replace(part, axes=tuple(axis for i, axis in enumerate(part.axes) if i not in gone))]


def _reshaped(part: Part, params: Mapping[str, Any], outputs: Sequence[Any]) -> list[Part | None]:
    """Axes of one key may come and go; where others change, nothing is known."""
    sizes = [end - start for start, end in part.region]
    kept = [axis for axis in part.axes if axis == WORDS or (axis != ADDED and sizes[axis] != 1)]
    shape = outputs[0].aval.shape
    if [2 if axis == WORDS else sizes[axis] for axis in kept] != [size for size in shape if size != 1]:
        return [None]
    rest = iter(kept)
    return [replace(part, axes=tuple(ADDED if size == 1 else next(rest) for size in shape))]


def _unstacked(part: Part, params: Mapping[str, Any], outputs: Sequence[Any]) -> list[Part | None]:
    axis = params.get("axis", 0)
    made: list[Part | None] = []
    for i in range(len(outputs)):
        row = part.at(axis, i, i + 1)
        made.append(row and replace(row, axes=part.axes[:axis] + part.axes[axis + 1 :]))
    return made


_RESULTS = {"slice": _sliced, "squeeze": _squeezed, "reshape": _reshaped, "unstack": _unstacked}
