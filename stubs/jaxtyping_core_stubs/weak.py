"""What a dtype gives with Python scalars: one method of the dtype's class tells it for all operators.

``x + 1`` follows from the dtype of ``x`` alone. Operators that give the same share a type parameter of the protocol.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from . import operators, tables

PROTOCOL = "_Weak"

#: The types of scalars that are told apart. A bool keeps the dtype or is left open, a complex number is.
BOOL, *KINDS = operators.SCALARS

#: An operator by its family, and whether the scalar is on the left.
Side = tuple[str, bool]

SIDES: tuple[Side, ...] = tuple(
    (family, reflected) for family in operators.FAMILIES for reflected in (False, True)
)


@functools.cache
def columns() -> dict[str, dict[str, str]]:
    """The type parameters, each with the result for every dtype that JAX takes."""
    return _found()[0]


def parameter(side: Side, kind: str) -> str:
    """The type parameter that tells what an operator gives with a kind of scalar."""
    return _found()[1][side, kind]


@functools.cache
def _found() -> tuple[dict[str, dict[str, str]], dict[tuple[Side, str], str]]:
    made: dict[str, dict[str, str]] = {}
    names = {}
    for kind in KINDS:
        for family, reflected in SIDES:
            table = operators.scalar_table(family, kind, reflected)
            results = {node: result for node, result in table.items() if result is not None}
            name = next((known for known, other in made.items() if _agree(other, results)), None)
            if name is None:
                name = f"_{'R' * reflected}{family.title()}_{kind.rpartition('_')[2].rpartition('.')[2]}"
            made[name] = {**made.get(name, {}), **results}
            names[(family, reflected), kind] = name
    return made, names


def _agree(first: dict[str, str], second: dict[str, str]) -> bool:
    """Whether two operators give the same for all dtypes that both take."""
    return all(second.get(node, result) == result for node, result in first.items())


def keeps_bools(side: Side) -> bool:
    """Whether a Python bool leaves every dtype as it is."""
    table = operators.scalar_table(side[0], BOOL, side[1])
    return all(result in (None, tables.class_name(node)) for node, result in table.items())


def method(node: str) -> str:
    """The method of a dtype class. An abstract one leaves all open."""
    results = ", ".join(column.get(node, "Any") for column in columns().values())
    return f"    def _weak(self) -> tuple[{results}]: ..."


def protocol() -> Iterator[str]:
    """The protocol of the method, and its type variables."""
    for name in columns():
        yield f'{name} = TypeVar("{name}", covariant=True)'
    yield f"class {PROTOCOL}(Protocol[{', '.join(columns())}]):"
    yield f"    def _weak(self) -> tuple[{', '.join(columns())}]: ..."
