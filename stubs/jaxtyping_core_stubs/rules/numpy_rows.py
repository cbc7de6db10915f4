"""The overloads of a function of one array for an array of NumPy."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtyping_core import dtypes

from .. import operators, tables
from ..probing.parameters import ARRAY
from . import claims, named, rows
from .claims import Claim
from .rows import Row
from .study import Choice, Study
from .terms import UNKNOWN

#: The scalar type of no array: only one that is not known matches.
NOTHING = "_NoScalar"


def overloads(found: Study) -> Iterator[Row]:
    """The rows for an array of NumPy instead of the array: for the dtypes that give the same, one."""
    if (
        len(found.probe.arrays) != 1
        or found.probe.arrays[0].role != ARRAY
        or rows.is_constant(found)
        or found.data
    ):
        return
    by_results: dict[tuple[str, ...], list[str]] = {}
    for node in operators.NUMPY:
        results = tuple(_result_of_node(claim, node) for claim in found.claims)
        by_results.setdefault(results, []).append(f"_np.{tables.class_name(node)}")
    unknown = (UNKNOWN,) * len(found.claims)
    by_results = {unknown: [NOTHING], **by_results}
    for results, scalars in by_results.items():
        if results != unknown or scalars[0] == NOTHING:
            annotation = f"_np.ndarray[Any, _np.dtype[{' | '.join(scalars)}]]"
            leaves = [f"Array[{result}, {UNKNOWN}]" for result in results]
            operand = {found.probe.arrays[0].name: Choice((annotation,), False)}
            yield Row(
                {**rows.dtype_choices(found), **operand}, rows.result_of(found.result, leaves, len(leaves))
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
