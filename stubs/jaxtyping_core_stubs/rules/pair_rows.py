"""The overloads of a function of two arrays whose shapes are broadcast, or of which one has the shape of the result."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from ..probing import samples
from . import pairs
from .claims import Claim
from .grouping import Choice
from .making import UNKNOWN_SHAPE, Row, is_unknown, made, result_of
from .scalar_rows import beside_scalar
from .study import Study
from .terms import UNKNOWN, class_name, leading, needed, result_dtypes

#: The shapes of the operands, and that of the result, where the operands are broadcast. An operand in braces is one
#: of which the shape is compared and then returned: an unknown one stays unknown.
_BROADCAST = (
    (UNKNOWN_SHAPE, "{Any}", UNKNOWN),
    ("_S", "{_S}", "_T"),
    ("tuple[()]", "_T", "_T"),
    ("_S", "tuple[()]", "_S"),
)
_SHAPES: dict[str, tuple[tuple[str, str, str], ...]] = {
    pairs.BROADCAST: _BROADCAST,
    pairs.FIRST: (("_S", "Any", "_S"),),
    pairs.SECOND: (("Any", "_S", "_S"),),
}


def rows(found: Study) -> Iterator[Row]:
    """The overloads, the most specific ones first."""
    assert found.relation is not None and found.operands is not None
    main = leading(found.claims)
    if main is not None and main.kind == "binary":
        yield _arrays(found, (UNKNOWN_SHAPE, "Any"), ("Any", "Any"), [UNKNOWN] * len(found.claims), UNKNOWN)
        yield _arrays(found, ("Any", UNKNOWN_SHAPE), ("Any", "Any"), [UNKNOWN] * len(found.claims), UNKNOWN)
        if main.exception:
            yield from _bools(found)
    dtypes = needed(found.claims, 2)
    yield from _unknown_third(found, (dtypes[0], dtypes[1]))
    for first, second, result in _SHAPES[found.relation]:
        yield _arrays(found, (dtypes[0], dtypes[1]), (first, second), result_dtypes(found.claims), result)
    yield _arrays(found, (dtypes[0], dtypes[1]), ("Any", "Any"), result_dtypes(found.claims), UNKNOWN)
    yield from _scalars(found)


def _unknown_third(found: Study, dtypes: tuple[str, str]) -> Iterator[Row]:
    """The rows where an array that must have the shape of the result has an unknown one."""
    for name in _thirds(found):
        third = {name: Choice((f"Array[Any, {UNKNOWN_SHAPE}]",), False)}
        row = _arrays(found, dtypes, ("Any", "Any"), result_dtypes(found.claims), UNKNOWN)
        yield Row({**row.choices, **third}, row.result)
        operands = {given.name: Choice(("ArrayLike",), False) for given in found.probe.arrays}
        leaves = [f"Array[{UNKNOWN}, {UNKNOWN}]"] * len(found.claims)
        yield Row({**row.choices, **third, **operands}, result_of(found.result, leaves, len(leaves)))


def _thirds(found: Study) -> list[str]:
    """The parameters that are arrays of the shape of the result."""
    return [name for name, choice in made(found).items() if samples.OF_RESULT in choice.annotations]


def _bools(found: Study) -> Iterator[Row]:
    results = [class_name(claim.exception) if claim.exception else UNKNOWN for claim in found.claims]
    for first, second, result in _SHAPES[found.relation or ""]:
        yield _arrays(found, ("bool_", "bool_"), (first, second), results, result)


def _arrays(
    found: Study, dtypes: tuple[str, str], shapes: tuple[str, str], results: list[str], shape: str
) -> Row:
    """The row for two arrays."""
    first, second = (given.name for given in found.probe.arrays)
    compared = shapes[1].startswith("{")
    right = (
        f"_Base[{dtypes[1]}, {shapes[1].strip('{}')}, _T]" if compared else f"Array[{dtypes[1]}, {shapes[1]}]"
    )
    operands = {first: f"Array[{dtypes[0]}, {shapes[0]}]", second: right}
    return _row(found, operands, results, shape)


def _row(found: Study, operands: Mapping[str, str], results: list[str], shape: str) -> Row:
    choices = {name: Choice((annotation,), False) for name, annotation in operands.items()}
    others = {name: _of_shape(choice, shape) for name, choice in {**found.free, **made(found)}.items()}
    leaves = [f"Array[{dtype}, {shape}]" for dtype in results]
    return Row({**others, **choices}, result_of(found.result, leaves, len(leaves)))


def _of_shape(choice: Choice, shape: str) -> Choice:
    """The choice where an array must have the shape of the result."""
    filled = tuple(
        text.replace("{shape}", "Any" if shape == UNKNOWN else shape) for text in choice.annotations
    )
    return choice._replace(annotations=filled)


# scalars


#: NumPy scalars that are Python scalars as well, and not weak.
_NUMPY = "_np.float64 | _np.complex128"


def _scalars(found: Study) -> Iterator[Row]:
    assert found.operands is not None
    names = [given.name for given in found.probe.arrays]
    if leading(found.claims) is not None or is_unknown(found):
        for numpy, other in (names, names[::-1]):
            yield _row(found, {numpy: _NUMPY, other: "ArrayLike"}, [UNKNOWN] * len(found.claims), UNKNOWN)
    for place, claims in ((1, found.operands.second), (0, found.operands.first)):
        for kind, claim in _last_of_equal(claims):
            scalar_shape = {pairs.FIRST: 0, pairs.SECOND: 1}.get(found.relation or "") == place
            for dtype, results in beside_scalar(claim):
                operands = {names[1 - place]: f"Array[{dtype}, _S]", names[place]: pairs.OPERANDS[kind]}
                yield _row(found, operands, results, "tuple[()]" if scalar_shape else "_S")
                if _thirds(found):
                    yield _row(found, operands, results, UNKNOWN)
    for kind, dtypes in pairs.both_rows(found.operands.both):
        operands = dict.fromkeys(names, _PLAIN[kind])
        yield _row(found, operands, list(dtypes), "tuple[()]")
        if _thirds(found):
            yield _row(found, operands, list(dtypes), "_S")


#: The annotation that accepts a type of Python scalar and those before it.
_PLAIN = {"bool": "_bool", "int": "int", "float": "float", "complex": "_complex"}


def _last_of_equal(found: Mapping[str, tuple[Claim, ...]]) -> Iterator[tuple[str, tuple[Claim, ...]]]:
    """Each claim with the types of scalars that it is about; a bool that is as an int needs no row."""
    kinds = list(found)
    for kind, following in itertools.zip_longest(kinds, kinds[1:]):
        if not (kind == "bool" and following == "int" and found[kind] == found[following]):
            yield kind, found[kind]
