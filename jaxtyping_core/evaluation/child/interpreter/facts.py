"""What was seen at each place of the program: for each context in which it was reached, the join over all evaluations.

A context is how the function was entered to which a place belongs. Facts of calls that the program makes, and of calls that
nothing is known to make, are kept apart: the client decides which of them count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....domain.expressions import calculate
from ..results import array_of, is_array
from .values.unknowns import Partial

#: A size as a fact has it: a number, an expression over the program's names, or unknown.
Dims = tuple[int | str | None, ...] | None


#: How a function was entered: by a call that the program makes, or for what it declares, which holds of every call; "never
#: called" is what only functions call that nothing calls.
CALLED, DECLARED, NEVER_CALLED = "called", "declared", "never called"
#: Calls of one function whose facts are kept apart.
MOST_CALLS = 8


class Context(NamedTuple):
    """How a function was entered, and where the call stands if the program makes it; a module's top level has no call."""

    kind: str = CALLED
    file: str = ""
    line: int = 0


#: The context of what a module does at its top level.
AT_TOP_LEVEL = Context()


#: How the name of a place begins that is a parameter of a function, which no name of Python does.
PARAMETER = "parameter "


class Place(NamedTuple):
    """An assignment to a name, a returned value (whose name is "return"), or a parameter (``PARAMETER`` and its name)."""

    file: str
    line: int
    column: int
    name: str


class Known(NamedTuple):
    """What is known of an array."""

    dtype: str | None
    weak: bool | None
    dims: Dims


@dataclass
class Fact:
    """What all evaluations of a place have in common; `known` is None where some had no array, or an unknown one."""

    known: Known | None
    calls: int = 1


def known_of(value: Any) -> Known | None:
    """What is known of a value if it is an array of JAX."""
    import jax

    if is_array(value):
        array = array_of(jax.typeof(value))
        return Known(array.dtype, array.weak, array.dims)
    if isinstance(value, Partial):
        return Known(value.dtype_name, value.weak, value.dims and tuple(map(size_of, value.dims)))
    return None


def size_of(dim: Any) -> int | str | None:
    """A size of a partly known array, as a fact has it."""
    from ..sizes import written
    from ..symbols import UNKNOWN

    if type(dim) is int or dim is None:
        return dim
    return None if UNKNOWN in str(dim) else written(dim)


def common(known: Known | None, other: Known | None) -> Known | None:
    """What holds of both."""
    if known is None or other is None:
        return None
    same = known.dtype == other.dtype
    dims: Dims = None
    if known.dims is not None and other.dims is not None and len(known.dims) == len(other.dims):
        dims = tuple(a if a == b else None for a, b in zip(known.dims, other.dims, strict=True))
    return Known(
        known.dtype if same else None, known.weak if same and known.weak == other.weak else None, dims
    )


def _confirmed(known: Known, actual: Known, sizes: Mapping[str, int]) -> Known:
    is_same = actual.dtype in (None, known.dtype)
    dims: Dims = None
    if known.dims is None or actual.dims is None:
        dims = known.dims
    elif len(known.dims) == len(actual.dims):
        dims = tuple(
            dim if number is None or _comes_to(dim, sizes) in (None, number) else None
            for dim, number in zip(known.dims, actual.dims, strict=True)
        )
    return Known(known.dtype if is_same else None, known.weak if is_same else None, dims)


def _comes_to(dim: int | str | None, sizes: Mapping[str, int]) -> int | None:
    """The number that a size comes to; None if that is not known."""
    if not isinstance(dim, str):
        return dim
    try:
        return int(calculate(dim, sizes))
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return None


def entered_from(outer: Context, file: str, line: int) -> Context:
    """The context of a function that is called from one that was entered in `outer`."""
    return Context(CALLED, file, line) if outer.kind == CALLED else Context(NEVER_CALLED)


@dataclass
class Facts:
    """The facts of one evaluation."""

    places: dict[Place, dict[Context, Fact]] = field(default_factory=dict)

    def see(self, context: Context, file: str, node: ast.expr | ast.arg, name: str, value: Any) -> None:
        """An evaluation reached the place of `node` with `value`."""
        self.add(Place(file, node.lineno, node.col_offset, name), context, Fact(known_of(value)))

    def add(self, place: Place, context: Context, fact: Fact) -> None:
        """Join a fact with what is known of its place in the context."""
        facts = self.places.setdefault(place, {})
        if context not in facts and len(facts) >= MOST_CALLS:
            context = Context(context.kind)
        before = facts.get(context)
        if before is None:
            facts[context] = Fact(fact.known, fact.calls)
        else:
            before.known = common(before.known, fact.known)
            before.calls += fact.calls

    def take(self, others: Facts) -> None:
        """What was seen in a part of the evaluation."""
        for place, facts in others.places.items():
            for context, fact in facts.items():
                self.add(place, context, fact)

    def without(self, sizes: set[int]) -> None:
        """These sizes are not known."""
        for fact in (fact for facts in self.places.values() for fact in facts.values()):
            if (
                fact.known is not None
                and fact.known.dims is not None
                and not sizes.isdisjoint(fact.known.dims)
            ):
                dims = tuple(None if dim in sizes else dim for dim in fact.known.dims)
                fact.known = fact.known._replace(dims=dims)

    def dims(self) -> Iterator[int | str | None]:
        """The sizes of all arrays."""
        for fact in (fact for facts in self.places.values() for fact in facts.values()):
            if fact.known is not None:
                yield from fact.known.dims or ()

    def confirm(self, actual: Facts, sizes: Mapping[str, int]) -> None:
        """Keep of the facts what holds of those of another walk, in which names of sizes stood for these numbers."""
        for place, facts in self.places.items():
            for context, fact in facts.items():
                other = actual.places.get(place, {}).get(context)
                if fact.known is not None and other is not None and other.known is not None:
                    fact.known = _confirmed(fact.known, other.known, sizes)

    def as_json(self) -> list[dict[str, Any]]:
        """The facts; of a place that was reached with no array, or with an unknown one, nothing is known."""
        return [
            {
                **place._asdict(),
                "name": place.name.removeprefix(PARAMETER),
                "is_parameter": place.name.startswith(PARAMETER),
                "context": [*context],
                "dtype": fact.known and fact.known.dtype,
                "weak": fact.known and fact.known.weak,
                "shape": fact.known and fact.known.dims,
                "calls": fact.calls,
            }
            for place, facts in sorted(self.places.items())
            for context, fact in facts.items()
        ]
