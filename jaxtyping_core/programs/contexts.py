"""What is known of the places of a program in each context, and what of that is shown.

A context is how the function was entered to which a place belongs. The same function may be called in one place with one shape,
in another with another one, and what it declares holds of all calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jaxtyping_core.programs.places import Dim, Place, Spot, from_json, join

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
    """What is known of a place in a context. A place that is open was reached with no array, or with an unknown one."""

    place: Place
    context: Context
    is_parameter: bool = False


def fact_from_json(data: Mapping[str, Any]) -> Fact:
    """The fact that an evaluation has written.

    Raises:
        LookupError, TypeError, ValueError: it has written no such thing.
    """
    return Fact(from_json(data), Context(*data["context"]), bool(data["is_parameter"]))


def shown(facts: Iterable[Fact]) -> list[Place]:
    """The places of which something is known, each with that.

    Where the program calls a function, its calls count, and what the function declares. Calls that nothing is known to make
    count only where there is nothing else.
    """
    kinds: dict[Spot, dict[str, list[Place]]] = {}
    for fact in facts:
        kinds.setdefault(fact.place.spot, {}).setdefault(fact.context.kind, []).append(fact.place)
    places = [_of_kinds({kind: join(each)[0] for kind, each in of.items()}) for of in kinds.values()]
    return sorted((place for place in places if not place.is_open), key=lambda place: place.spot)


def in_context(facts: Iterable[Fact], context: Context) -> list[Place]:
    """The places that one context has reached, each with what is known there: for an editor, this call's."""
    return join(fact.place for fact in facts if fact.context == context)


def _of_kinds(kinds: Mapping[str, Place]) -> Place:
    if CALLED in kinds:
        return _refined(kinds[CALLED], kinds[DECLARED]) if DECLARED in kinds else kinds[CALLED]
    return kinds.get(DECLARED) or kinds[NEVER_CALLED]


def _refined(called: Place, declared: Place) -> Place:
    """What all calls agree on; where they do not, what they are declared to be."""
    shape = called.shape if called.shape is not None else declared.shape
    if called.shape is not None and declared.shape is not None and len(called.shape) == len(declared.shape):
        shape = tuple(map(_either, called.shape, declared.shape))
    is_same = called.dtype is None or called.dtype == declared.dtype
    weak = called.weak if called.weak is not None or not is_same else declared.weak
    return replace(called, dtype=called.dtype or declared.dtype, weak=weak, shape=shape)


def _either(called: Dim, declared: Dim) -> Dim:
    return declared if called is None else called
