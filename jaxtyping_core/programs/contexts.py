"""What is known of the places of a program in each context, and what of that is shown.

A context is how the function was entered to which a place belongs. The same function may be called in one place with one shape,
in another with another one, and what it declares holds of all calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from jaxtyping_core.domain.arrays import AbstractArray, refine, supported
from jaxtyping_core.domain.dims import Shape
from jaxtyping_core.domain.merging import merge
from jaxtyping_core.domain.values import Value, decode
from jaxtyping_core.programs.places import EXPRESSION, Place, Spot, from_json, join

#: The program calls the function; all calls are as the function declares; only what nothing calls calls it.
CALLED, DECLARED, NEVER_CALLED = "called", "declared", "never called"
KINDS = (CALLED, DECLARED, NEVER_CALLED)


@dataclass(frozen=True, slots=True)
class Context:
    """How a function was entered: one of `KINDS`, and the file and the line of the call if the program makes it.

    A module's top level has no call, nor have calls that are more than are kept apart.
    """

    kind: str = CALLED
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a place in a context; without `is_array`, it was reached with no array.

    With `is_open`, it was reached with an unknown value, of which not even that is known. `tree` is what is known of a
    tuple, list or dict with arrays in it.
    """

    place: Place
    context: Context
    is_parameter: bool = False
    is_array: bool = True
    is_open: bool = False
    tree: Value | None = None


class Expression(NamedTuple):
    """An expression, with one fact for each context.

    The place of its facts is the start of the expression. `end_column` is exclusive, as in `ast`.
    """

    end_line: int
    end_column: int
    facts: list[Fact]


def fact_from_json(data: Mapping[str, Any]) -> Fact:
    """The fact that an evaluation has written.

    Raises:
        LookupError, TypeError, ValueError: it has written no such thing.
    """
    place = replace(from_json(data), seen=tuple(map(_array, data["seen"])))
    is_parameter, is_array, is_open = (bool(data[name]) for name in ("is_parameter", "is_array", "is_open"))
    return Fact(place, Context(*data["context"]), is_parameter, is_array, is_open)


def expression_from_json(data: Sequence[Any]) -> Expression:
    """The expression that an evaluation has written.

    Raises:
        LookupError, TypeError, ValueError: it has written no such thing.
    """
    file, line, column, end_line, end_column, facts = data
    told = []
    for context, known, seen, tree in facts:
        array = AbstractArray() if known is None else _array(known)
        place = Place(file, line, column, EXPRESSION, array, seen=tuple(map(_array, seen)))
        value = None if tree is None else decode(tree)
        told.append(Fact(place, Context(*context), is_array=known is not None, tree=value))
    return Expression(end_line, end_column, told)


def _array(data: Sequence[Any]) -> AbstractArray:
    dtype, weak, shape = data
    return AbstractArray.of(dtype, weak, None if shape is None else tuple(shape))


def shown(facts: Iterable[Fact]) -> list[Place]:
    """The places that always hold arrays, each with what is known of them.

    Where the program calls a function, its calls count, and what the function declares. Calls that nothing is known to make
    count only where there is nothing else. Sizes have the names that the function declares, where its calls have numbers.
    """
    kinds: dict[Spot, dict[str, list[Fact]]] = {}
    for fact in facts:
        kinds.setdefault(fact.place.spot, {}).setdefault(fact.context.kind, []).append(fact)
    places = (_of_kinds(facts) for facts in kinds.values())
    return sorted((place for place in places if place is not None), key=lambda place: place.spot)


def shown_tree(facts: Sequence[Fact]) -> Value | None:
    """What is known of the tuple, list or dict at one place, of the calls that count; None where that is not one in all of them."""
    for kind in KINDS:
        trees = [fact.tree for fact in facts if fact.context.kind == kind]
        known = [tree for tree in trees if tree is not None]
        if trees:
            return merge(known) if len(known) == len(trees) else None
    return None


def in_context(facts: Iterable[Fact], context: Context) -> list[Place]:
    """The places that one context has reached, each with what is known there: for an editor, this call's."""
    return join(fact.place for fact in facts if fact.context == context and fact.is_array)


def _joined(facts: Sequence[Fact]) -> Place | None:
    """What several calls agree on; None if one of them is not known to have an array."""
    return join(fact.place for fact in facts)[0] if all(fact.is_array for fact in facts) else None


def _of_kinds(kinds: Mapping[str, Sequence[Fact]]) -> Place | None:
    known = {kind: _joined(facts) for kind, facts in kinds.items()}
    if CALLED not in known:
        return known[DECLARED] if DECLARED in known else known[NEVER_CALLED]
    called, declared = known[CALLED], known.get(DECLARED)
    if declared is None:
        return called
    # What all calls agree on; where they do not, what they are declared to be, if no call contradicts that.
    seen = _seen(kinds[CALLED])
    declared = replace(declared, known=supported(declared.known, seen), seen=seen)
    if called is None:
        return declared
    refined = refine(called.known, declared.known)
    return replace(called, known=replace(refined, shape=_named(refined.shape, declared.known.shape)))


def _named(shape: Shape, declared: Shape) -> Shape:
    """A shape with the sizes for which a function has names, or formulas of names."""
    if shape is None or declared is None or len(shape) != len(declared):
        return shape
    return tuple(name if isinstance(name, str) else dim for dim, name in zip(shape, declared, strict=True))


def _seen(facts: Sequence[Fact]) -> tuple[AbstractArray, ...]:
    arrays = (known for fact in facts for known in (*fact.place.seen, fact.place.known) if fact.is_array)
    return tuple(dict.fromkeys(arrays))
