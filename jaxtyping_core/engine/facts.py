"""What was seen at each place of the program: for each entry in which it was reached, the join over all evaluations.

An entry is how the function was entered to which a place belongs. Facts of calls that the program makes, and of calls that
nothing is known to make, are kept apart: the client decides which of them count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from ..domain.arrays import AbstractArray, confirmed, join
from ..domain.dims import Dim
from ..domain.merging import merge
from ..domain.values import Value, encode
from .described import OwnClass, arrays_in, confirmed_tree, known_of, tree_of, with_arrays
from .values.unknowns import ArrayLike, is_anything

A = TypeVar("A", bound=AbstractArray)

#: How a function was entered: by a call that the program makes, or for what it declares, which holds of every call; "never
#: called" is what only functions call that nothing calls.
CALLED, DECLARED, NEVER_CALLED = "called", "declared", "never called"
#: Calls of one function whose facts are kept apart.
MOST_CALLS = 8


class Entry(NamedTuple):
    """How a function was entered, and where the call stands if the program makes it; a module's top level has no call."""

    kind: str = CALLED
    file: str = ""
    line: int = 0


#: The entry of what a module does at its top level.
AT_TOP_LEVEL = Entry()


#: How the name of a place begins that is a parameter of a function, which no name of Python does, or an expression.
PARAMETER, EXPRESSION = "parameter ", "expression "
#: The expressions of which facts are kept where they are wanted.
EXPRESSIONS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare)
#: Those of which the tuples, lists and dicts are kept as well, for a type checker to know: other expressions have the same ones.
WITH_TREES = (ast.Call, ast.Attribute, ast.Subscript)


class Place(NamedTuple):
    """An assignment to a name, a returned value (whose name is "return"), a parameter (``PARAMETER`` and its name), or an expression."""

    file: str
    line: int
    column: int
    name: str


@dataclass
class Fact:
    """What all evaluations of a place have in common; `known` is None where some had no array, or an unknown one.

    `seen` is what was known in those that the program surely makes. `is_open` says that one had an unknown value.
    `tree` is what is known of a tuple, list or dict with arrays in it.
    """

    known: AbstractArray | None
    calls: int = 1
    seen: tuple[AbstractArray, ...] = ()
    is_open: bool = False
    tree: Value | None = None


def expression(node: ast.expr) -> str:
    """The name of an expression's place: how many lines below its first one it ends, and at which column."""
    return f"{EXPRESSION}{(node.end_lineno or node.lineno) - node.lineno} {node.end_col_offset}"


def _may_be_array(value: Any) -> bool:
    """Whether what is no array that is known may be one of JAX."""
    return is_anything(value) or isinstance(value, ArrayLike)


def common(known: AbstractArray | None, other: AbstractArray | None) -> AbstractArray | None:
    """What holds of both; None if one is not an array."""
    return None if known is None or other is None else join(known, other)


def entered_from(outer: Entry, file: str, line: int) -> Entry:
    """The entry of a function that is called from one that was entered in `outer`."""
    return Entry(CALLED, file, line) if outer.kind == CALLED else Entry(NEVER_CALLED)


@dataclass
class Facts:
    """The facts of one evaluation."""

    places: dict[Place, dict[Entry, Fact]] = field(default_factory=dict)

    def record(
        self,
        entry: Entry,
        file: str,
        node: ast.expr | ast.arg,
        name: str,
        value: Any,
        is_certain: bool = False,
        own: OwnClass = lambda _: None,
    ) -> None:
        """An evaluation reached the place of `node` with `value`; `is_certain` if the program surely does.

        `own` finds the class of the program that objects are of.
        """
        known = known_of(value)
        seen = (known,) if is_certain and known is not None else ()
        is_open = known is None and _may_be_array(value)
        place = Place(file, node.lineno, node.col_offset, name)
        tree = tree_of(value, own) if known is None and isinstance(node, WITH_TREES) else None
        self.add(place, entry, Fact(known, seen=seen, is_open=is_open, tree=tree))

    def add(self, place: Place, entry: Entry, fact: Fact) -> None:
        """Join a fact with what is known of its place in the entry."""
        facts = self.places.setdefault(place, {})
        if entry not in facts and len(facts) >= MOST_CALLS:
            entry = Entry(entry.kind)
        before = facts.get(entry)
        if before is None:
            facts[entry] = replace(fact)
        else:
            before.known = common(before.known, fact.known)
            trees = [tree for tree in (before.tree, fact.tree) if tree is not None]
            before.tree = merge(trees) if len(trees) > 1 else None
            before.calls += fact.calls
            before.is_open = before.is_open or fact.is_open
            before.seen = tuple(dict.fromkeys([*before.seen, *fact.seen]))[:MOST_CALLS]

    def merge(self, others: Facts) -> None:
        """What was seen in a part of the evaluation."""
        for place, facts in others.places.items():
            for entry, fact in facts.items():
                self.add(place, entry, fact)

    def without(self, sizes: set[int]) -> None:
        """These sizes are not known."""

        def left(known: A) -> A:
            if known.shape is None or sizes.isdisjoint(known.shape):
                return known
            return replace(known, shape=tuple(None if dim in sizes else dim for dim in known.shape))

        for fact in (fact for facts in self.places.values() for fact in facts.values()):
            fact.known = None if fact.known is None else left(fact.known)
            fact.tree = None if fact.tree is None else with_arrays(fact.tree, left)

    def dims(self) -> Iterator[Dim]:
        """The sizes of all arrays."""
        for fact in (fact for facts in self.places.values() for fact in facts.values()):
            for known in (fact.known, *(arrays_in(fact.tree) if fact.tree else ())):
                yield from (known.shape or ()) if known is not None else ()

    def confirm(self, actual: Facts, sizes: Mapping[str, int]) -> None:
        """Keep of the facts what holds of those of another walk, in which names of sizes stood for these numbers."""
        for place, facts in self.places.items():
            for entry, fact in facts.items():
                other = actual.places.get(place, {}).get(entry)
                if fact.known is not None and other is not None and other.known is not None:
                    fact.known = confirmed(fact.known, other.known, sizes)
                if fact.tree is not None and other is not None:
                    fact.tree = None if other.tree is None else confirmed_tree(fact.tree, other.tree, sizes)

    def as_json(self) -> list[dict[str, Any]]:
        """The facts; of a place that was reached with no array, or with an unknown one, nothing is known."""
        return [
            {
                **place._asdict(),
                "name": place.name.removeprefix(PARAMETER),
                "is_parameter": place.name.startswith(PARAMETER),
                "is_array": fact.known is not None,
                "is_open": fact.is_open,
                "context": [*entry],
                "dtype": fact.known and fact.known.dtype,
                "weak": fact.known and fact.known.weak,
                "shape": fact.known and fact.known.shape and list(fact.known.shape),
                "calls": fact.calls,
                "seen": _seen(fact),
            }
            for place in sorted(place for place in self.places if not place.name.startswith(EXPRESSION))
            for entry, fact in self.places[place].items()
        ]

    def expressions(self) -> list[list[Any]]:
        """The expressions that were arrays, each with where it begins and ends and its facts: lists, for there are many."""
        told = []
        for place, facts in self.places.items():
            if not place.name.startswith(EXPRESSION):
                continue
            if any(fact.known is not None or fact.tree is not None for fact in facts.values()):
                lines, column = place.name.removeprefix(EXPRESSION).split()
                end = place.line + int(lines), int(column)
                own = [
                    [[*entry], _array(fact.known), _seen(fact), fact.tree and encode(fact.tree)]
                    for entry, fact in facts.items()
                ]
                told.append([place.file, place.line, place.column, *end, own])
        return told


def _seen(fact: Fact) -> list[list[Any] | None]:
    """What was known in several evaluations; nothing where there is no difference to tell."""
    return [*map(_array, fact.seen)] if len(fact.seen) > 1 else []


def _array(known: AbstractArray | None) -> list[Any] | None:
    """What is known of an array; None where there is none."""
    return None if known is None else [known.dtype, known.weak, known.shape and [*known.shape]]
