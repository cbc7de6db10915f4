"""The overloads for an array of NumPy instead of an array."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtyping_core import dtypes

from .. import operators, tables
from ..probing.parameters import ARRAY
from . import claims, making, named, terms
from .claims import Claim
from .grouping import Choice
from .making import Row
from .study import Study
from .terms import UNKNOWN

#: The scalar type of no array: only one that is not known matches.
NOTHING = "_NoScalar"


def overloads(found: Study) -> Iterator[Row]:
    """The rows for an array of NumPy instead of the array, or of one of several."""
    if any(given.role != ARRAY for given in found.probe.arrays) or making.is_constant(found) or found.data:
        return
    if len(found.probe.arrays) == 1:
        yield from _instead(found)
    else:
        yield from _among_others(found)


def _instead(found: Study) -> Iterator[Row]:
    """The rows for an array of NumPy instead of the only one: for the dtypes that give the same, one."""
    unknown = (UNKNOWN,) * len(found.claims)
    by_results: dict[tuple[str, ...], list[str]] = {unknown: []}  # an unknown dtype comes first: it fits any
    for node in operators.NUMPY:
        results = tuple(_result_of_node(claim, node) for claim in found.claims)
        by_results.setdefault(results, []).append(f"_np.{tables.class_name(node)}")
    if len(by_results) == 1:
        return
    for results, scalars in {
        **by_results,
        unknown: [NOTHING],
    }.items():  # those of no known result: with the rest
        leaves = [f"Array[{result}, {UNKNOWN}]" for result in results]
        operand = {found.probe.arrays[0].name: _numpy(" | ".join(scalars))}
        yield Row(
            {**making.dtype_choices(found), **operand}, making.result_of(found.result, leaves, len(leaves))
        )


def _numpy(scalars: str) -> Choice:
    return Choice((f"_np.ndarray[Any, _np.dtype[{scalars}]]",), False)


#: The scalar types of NumPy that are told apart beside another array, with the class that each counts as.
BESIDE = {
    "_np.float32": "float32",
    "_np.float16": "float16",
    "_np.bool_": "bool_",
    "_np.integer[Any]": "integer",
}


def _among_others(found: Study) -> Iterator[Row]:
    """The rows for an array of NumPy in each place of several, beside arrays of which the dtype is known."""
    main = terms.leading(found.claims)
    count = len(found.probe.arrays)
    if main is None or main.kind not in ("table", "binary") or main.table == "power" or main.strong:
        return
    if main.exception or main.arguments != tuple(range(count)) or count > MOST:
        return
    table = (main.table or "join").capitalize()
    for place in range(count):
        rest = tuple(other for other in range(count) if other != place)
        nothing = ["Any"] * count
        yield _beside(found, place, NOTHING, nothing, [UNKNOWN] * len(found.claims))
        for scalar, counts_as in BESIDE.items():
            given = ["Any"] * count
            terms.folded(given, rest, "join", f"_{table}_{counts_as}[{terms.put_through(main)}]")
            yield _beside(found, place, scalar, given, terms.result_dtypes(found.claims))


#: For more arrays the rows would be too many.
MOST = 4


def _beside(found: Study, place: int, scalar: str, given: list[str], results: list[str]) -> Row:
    operands = {
        array.name: _numpy(scalar) if index == place else Choice((f"Array[{dtype}, Any]",), False)
        for index, (array, dtype) in enumerate(zip(found.probe.arrays, given, strict=True))
    }
    leaves = [f"Array[{result}, {UNKNOWN}]" for result in results]
    return Row(
        {**making.dtype_choices(found), **operands}, making.result_of(found.result, leaves, len(leaves))
    )


def _result_of_node(claim: Claim, node: str) -> str:
    """What a claim says of one dtype that a program may hold in either mode: a 64-bit one is shrunk."""
    narrow = dtypes.canonical(node, x64=False)
    if claim.strong and node in claims.ODD:
        return UNKNOWN
    off, on = claims.predict(claim, (narrow,)), claims.predict(claim, (node,))
    if off is None or on is None or not named.has_classes(both := (off[0], on[1])):
        return UNKNOWN
    return tables.spell(both) or UNKNOWN
