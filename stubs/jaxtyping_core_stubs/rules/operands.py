"""The rows of functions of two arrays whose shapes are broadcast, or of which one has the shape of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import tables
from ..probing import samples
from . import claims, named, pairs
from .claims import Claim
from .grouping import Choice
from .making import UNKNOWN_SHAPE, Purpose, Row, made, result_of
from .study import Study
from .terms import UNKNOWN, needed, result_dtypes, without_exceptions

#: What a Python number is, an int or a float: a bool is an int. NumPy's `float64`, a float, is none: it is not weak.
NUMBER = "int | _PyFloat"
#: The type variables of the row for numbers: two numbers leave both of them open.
DTYPE, SHAPE = "_Rd", "_Sd"


def rows(found: Study) -> Iterator[Row]:
    """The rows but for that of any shapes."""
    if _depends_on_third(found):
        return
    dtypes = needed(found.claims, 2)
    results = result_dtypes(found.claims)
    match found.relation:
        case pairs.BROADCAST:
            yield _arrays(
                found,
                Purpose.GUARD,
                (f"Array[{dtypes[0]}, {UNKNOWN_SHAPE}]", f"Array[{dtypes[1]}, Any]"),
                results,
                UNKNOWN,
            )
            yield _arrays(
                found, Purpose.SAME, (f"Array[{dtypes[0]}, _S]", f"_Base[{dtypes[1]}, _S, _T]"), results, "_T"
            )
        case pairs.FIRST:
            yield _arrays(
                found, Purpose.SHAPE, (f"Array[{dtypes[0]}, _S]", f"Array[{dtypes[1]}, Any]"), results, "_S"
            )
        case pairs.SECOND:
            yield _arrays(
                found, Purpose.SHAPE, (f"Array[{dtypes[0]}, Any]", f"Array[{dtypes[1]}, _S]"), results, "_S"
            )
    if found.relation == pairs.BROADCAST:
        yield from _numbers(found)


def _depends_on_third(found: Study) -> bool:
    """Whether a third argument is an array that the others are broadcast with."""
    return any(samples.OF_RESULT in choice.annotations for choice in made(found).values())


def _arrays(found: Study, purpose: Purpose, operands: tuple[str, str], results: list[str], shape: str) -> Row:
    names = (given.name for given in found.probe.arrays)
    choices = {name: Choice((text,), False) for name, text in zip(names, operands, strict=True)}
    leaves = [f"Array[{dtype}, {shape}]" for dtype in results]
    return Row(
        purpose, {**found.free, **made(found), **choices}, result_of(found.result, leaves, len(leaves))
    )


# numbers


def _numbers(found: Study) -> Iterator[Row]:
    """The row for an array and a Python number, on either side, where that is told by the dtype of the array."""
    results = of_numbers(found)
    if results is None:
        return
    if not results:
        array, dtypes = f"Array[Any, {SHAPE}]", result_dtypes(found.claims)
    else:
        named.learn("with_number", results)
        array = f"Array[_Has_{named.name(results)}[{DTYPE}], {SHAPE}]"
        dtypes = [DTYPE] * len(found.claims)
    yield _arrays(found, Purpose.SCALAR, (f"{array} | {NUMBER}", f"{array} | {NUMBER}"), dtypes, SHAPE)


def of_numbers(found: Study) -> claims.Results | None:
    """What the dtype of an array gives with any Python number: open where it matters which; () for a constant.

    None where nothing is known of that.
    """
    assert found.operands is not None
    if all(claim.kind == "constant" for claim in found.claims):
        return ()
    kinds = _kinds(found.operands.second), _kinds(found.operands.first)
    if len(set(found.claims)) > 1 or None in kinds:
        return None
    known = [claim for side in kinds for claim in side or ()]
    results = tuple((node, _agreed(known, node)) for node in tables.nodes())
    return results if any(pair != claims.OPEN for _, pair in results) else None


def _kinds(side: Mapping[str, tuple[Claim, ...]]) -> list[Claim] | None:
    """The claims about a number of each type as one of the operands; None where one is missing."""
    found = [side.get(kind) for kind in ("bool", "int", "float")]
    if any(known is None or len(set(known)) != 1 for known in found):
        return None
    return [without_exceptions(known[0]) for known in found if known]


def _agreed(known: list[Claim], node: str) -> claims.Pair:
    said = {claims.predict(claim, (node,)) for claim in known}
    pair = said.pop() if len(said) == 1 else None
    return pair if pair is not None and "?" not in pair else claims.OPEN
