"""Descriptors of the array class for mypy: a member by what is known of the array.

A descriptor has an overload for each kind of array. Where something in the type of an array was inferred from what is
unknown, all of them fit, and mypy gives up unless they say the same of it. So each takes a type variable of its own,
with the arrays of the kind as its bound, which all come out as the type of that array: then mypy takes the first. What
the overload gives has a property that tells the dtype and the dims apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

#: The kinds of arrays, by the type variables that stand for them.
BOUNDS = {
    "_UnknownArray": "Array[_Sen, _NoShape]",
    "_UnrankedArray": "Array[Any, _NoShape]",
    **{f"_Array{rank}": f"Array[Any, tuple[{', '.join(['Any'] * rank) or '()'}]]" for rank in range(5)},
    "_AnyArray": "Array[Any, Any]",
}
UNKNOWN, UNRANKED, *_, ANY = BOUNDS


class Case(NamedTuple):
    """What a descriptor gives for a kind of arrays: `own` is their type, with the type variables of the `result`."""

    kind: str
    own: str
    result: str


def of_rank(rank: int) -> str:
    """The kind of the arrays of a rank."""
    return f"_Array{rank}"


def variables() -> str:
    """The definitions of the type variables."""
    return "\n".join(f'{name} = TypeVar("{name}", bound="{bound}")' for name, bound in BOUNDS.items())


def definition(name: str, cases: Iterable[Case]) -> Iterator[str]:
    """The descriptor of the member `name`. What is for an unknown array must not depend on it."""
    found: dict[str, str] = {}
    for kind, own, result in cases:
        holder = f"_{name}_of{kind}"
        found[kind] = result if kind == UNKNOWN else f"{holder}[{kind}]"
        if kind != UNKNOWN:
            yield f"class {holder}(Generic[_T_co]):"
            yield "    @property"
            yield f"    def __call__(self: {holder}[{own}]) -> {result}: ..."
    found["None"] = "Any"  # of the class: the function that the member is
    yield f"class _Finds_{name}:"
    for instance, result in found.items():
        yield "    @overload"
        yield f"    def __get__(self, instance: {instance}, owner: Any, /) -> {result}: ..."
    yield "    def __call__(self, *args: Any, **kwargs: Any) -> Any: ..."  # protocols with the member want that


def callable_class(name: str, variables: Sequence[str], rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A class that is called, with its type variables: the parameters and the result of each overload.

    They are static methods: for others mypy compares `self` with that of every overload.
    """
    yield f"class {name}(Generic[{', '.join(variables)}]):" if variables else f"class {name}:"
    for parameters, result in rows:
        if len(rows) > 1:
            yield "    @overload"
        yield "    @staticmethod"
        yield f"    def __call__({parameters}) -> {result}: ..."


def operator_class(name: str, variables: Sequence[str], rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The same for an operator: the type of the other operand, and the result."""
    return callable_class(name, variables, [(f"other: {other}, /", result) for other, result in rows])
