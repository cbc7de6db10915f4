"""The rows for Python scalars instead of arrays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from .. import joins
from . import pairs
from .claims import Claim
from .grouping import Choice, Group
from .making import NOTHING, Dims, Row, make, result_of, shape_of, shape_with
from .study import Study
from .terms import ODD, UNKNOWN, class_name, folded, leading, needed, put_through, result_dtypes

#: Groups of calls that get rows for Python scalars.
WITH_SCALARS = 5
#: The annotation of each type of Python scalar, in an order in which each accepts those before it.
SCALARS = {
    "bool": "_bool",
    "int": "int",
    "float64": "_np.float64",
    "float": "float",
    "complex128": "_np.complex128",
    "complex": "_complex",
}


def of_one(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a Python scalar instead of the array."""
    for group, _ in general[:WITH_SCALARS]:
        patterns = group.patterns.get((0,))
        if patterns is None or not found.scalars:
            continue
        for last in _last_of_equal(found.scalars):
            results = found.scalars[last]
            dims = Dims((), tuple(shape_of(pattern, {}) for pattern in patterns))
            row = make(found, {**found.free, **group.choices}, Dims(("Any",), dims.result), list(results))
            name = found.probe.arrays[0].name
            yield Row({**row.choices, name: Choice((SCALARS[last],), False)}, row.result)


def _last_of_equal(found: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The types of scalars of which the following one, which accepts them, gives something else."""
    for kind, others in found.items():
        following = list(SCALARS)[list(SCALARS).index(kind) + 1 :]
        accepting = [other for other in following if not (kind in ("bool", "int") and other == "float64")]
        accepting = [other for other in accepting if not (kind != "complex128" and other == "complex128")]
        if not accepting or found.get(accepting[0]) != others:
            yield kind


def of_data(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for nested sequences of Python scalars."""
    for group, _ in general[:1]:
        unknown = {f"Sequence[{NOTHING}]": (UNKNOWN, 0)} if found.data else {}
        for annotation, (dtype, rank) in {**unknown, **found.data}.items():
            dims = Dims(("Any",), (shape_with([UNKNOWN] * rank) if rank else UNKNOWN,))
            row = make(found, {**found.free, **group.choices}, dims, [dtype])
            yield Row({**row.choices, found.probe.arrays[0].name: Choice((annotation,), False)}, row.result)


def trailing(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for Python scalars instead of all arrays but the first."""
    same = [(group, dims) for group, dims in general if dims.given[:1] == dims.result[:1] == ("_S",)]
    for group, _ in same[:1]:
        for kind, known in found.trailing.items():
            first, *rest = found.probe.arrays
            operands = {given.name: Choice((pairs.OPERANDS[kind],), False) for given in rest}
            for dtype, results in beside_scalar(known):
                leaves = [f"Array[{result}, _S]" for result in results]
                operands[first.name] = Choice((f"Array[{dtype}, _S]",), False)
                result = result_of(found.result, leaves, len(leaves))
                yield Row({**found.free, **group.choices, **operands}, result)


def beside(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a Python scalar instead of one array of several."""
    main = leading(found.claims)
    same = [group for group, dims in general if dims.given[:1] == dims.result[:1] == ("_S",)]
    if main is None or main.kind not in ("table", "binary") or main.strong or main.exception:
        return
    for group, (place, kind) in itertools.product(same[:1], found.beside):
        rest = tuple(index for index in main.arguments if index != place)
        if main.table != "power" and 0 < len(rest) < len(main.arguments):
            given = ["Any"] * len(found.probe.arrays)
            counts_as = f"_{(main.table or 'join').capitalize()}_{class_name(pairs.COUNTS_AS[kind])}"
            folded(given, rest, "join", f"{counts_as}[{put_through(main)}]")
            dims = Dims(("_S",) * len(given), ("_S",) * len(found.claims))
            row = make(found, {**found.free, **group.choices}, dims, result_dtypes(found.claims), given)
            scalar = Choice((pairs.OPERANDS[kind],), False)
            yield Row({**row.choices, found.probe.arrays[place].name: scalar}, row.result)


def beside_scalar(known: tuple[Claim, ...]) -> Iterator[tuple[str, list[str]]]:
    """The dtypes of an array beside a scalar, so that the result's can be told from it, with those."""
    main = leading(known)
    if any(claim.strong for claim in known):
        yield ODD, [UNKNOWN] * len(known)
    if main is not None and main.kind == "fixed":
        yield _with_fixed(main), result_dtypes(known)
    else:
        yield needed(known, 1)[0], result_dtypes(known)


def _with_fixed(claim: Claim) -> str:
    """The dtypes that give the result with what a claim fixes, which stands on the left where that matters."""
    table, other, result = f"_{claim.table.capitalize()}", class_name(claim.other), put_through(claim)
    return f"{table}_{other}[{result}]" if joins.symmetric(claim.table) else f"{table}[{other}, {result}]"


def of_both(
    found: Study, general: list[tuple[Group, Dims]], by_rank: list[tuple[Group, Dims]]
) -> Iterator[Row]:
    """The rows for Python scalars instead of both arrays."""
    assert found.operands is not None
    groups = list({id(group): group for group, _ in (*general, *by_rank)}.values())
    for group in [group for group in groups if (0, 0) in group.patterns][:WITH_SCALARS]:
        for kind, results in pairs.both_rows(found.operands.both):
            dims = Dims(("Any", "Any"), tuple(shape_of(pattern, {}) for pattern in group.patterns[0, 0]))
            row = make(found, {**found.free, **group.choices}, dims, list(results))
            operands = {given.name: Choice((SCALARS[kind],), False) for given in found.probe.arrays}
            yield Row({**row.choices, **operands}, row.result)
