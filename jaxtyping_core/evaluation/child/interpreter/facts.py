"""What was seen at each place of the program: the join over all evaluations that reached it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import jax

from ....domain.arrays import AbstractArray, join
from ....domain.dims import Dim
from ..results import array_of, is_array
from ..sizes import written
from ..symbols import UNKNOWN
from .values.unknowns import Partial

#: How the name of a place begins that is a parameter of a function, which no name of Python does.
PARAMETER = "parameter "


class Place(NamedTuple):
    """An assignment to a name, a returned value (whose name is "return"), or a parameter (``PARAMETER`` and its name)."""

    file: str
    line: int
    column: int
    name: str


@dataclass
class Fact:
    """What all evaluations of a place have in common; `known` is None where some had no array, or an unknown one."""

    known: AbstractArray | None
    calls: int = 1


def known_of(value: Any) -> AbstractArray | None:
    """What is known of a value if it is an array of JAX."""
    if is_array(value):
        array = array_of(jax.typeof(value))
        return AbstractArray.of(array.dtype, array.weak, array.dims)
    if isinstance(value, Partial):
        return AbstractArray.of(value.dtype_name, value.weak, value.dims and tuple(map(size_of, value.dims)))
    return None


def size_of(dim: Any) -> Dim:
    """A size of a partly known array, as a fact has it."""
    if type(dim) is int or dim is None:
        return dim
    return None if UNKNOWN in str(dim) else written(dim)


def common(known: AbstractArray | None, other: AbstractArray | None) -> AbstractArray | None:
    """What holds of both; None if one is not an array."""
    return None if known is None or other is None else join(known, other)


@dataclass
class Facts:
    """The facts of one evaluation."""

    places: dict[Place, Fact] = field(default_factory=dict)

    def see(self, file: str, node: ast.expr | ast.arg, name: str, value: Any) -> None:
        """An evaluation reached the place of `node` with `value`."""
        place = Place(file, node.lineno, node.col_offset, name)
        known = known_of(value)
        fact = self.places.get(place)
        if fact is None:
            self.places[place] = Fact(known)
        else:
            fact.known = common(fact.known, known)
            fact.calls += 1

    def take(self, others: Facts) -> None:
        """What was seen in a part of the evaluation."""
        for place, other in others.places.items():
            fact = self.places.get(place)
            if fact is None:
                self.places[place] = other
            else:
                fact.known = common(fact.known, other.known)
                fact.calls += other.calls

    def without(self, sizes: set[int]) -> None:
        """These sizes are not known."""
        for fact in self.places.values():
            if (
                fact.known is not None
                and fact.known.shape is not None
                and not sizes.isdisjoint(fact.known.shape)
            ):
                dims = tuple(None if dim in sizes else dim for dim in fact.known.shape)
                fact.known = replace(fact.known, shape=dims)

    def as_json(self, parameters: bool = False) -> list[dict[str, Any]]:
        """The places at which something is known, without the parameters or only these."""
        return [
            {
                **place._asdict(),
                "name": place.name.removeprefix(PARAMETER),
                "dtype": fact.known.dtype,
                "weak": fact.known.weak,
                "shape": None if fact.known.shape is None else list(fact.known.shape),
                "calls": fact.calls,
            }
            for place, fact in sorted(self.places.items())
            if fact.known is not None and place.name.startswith(PARAMETER) == parameters
        ]

    def others(self, parameters: bool = False) -> list[list[Any]]:
        """The places that were reached with no array, or with something of which nothing is known."""
        return [
            [*place[:3], place.name.removeprefix(PARAMETER)]
            for place, fact in sorted(self.places.items())
            if fact.known is None and place.name.startswith(PARAMETER) == parameters
        ]
