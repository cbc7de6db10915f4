"""The rows of functions of two arrays whose shapes are broadcast, or of which one has the shape of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import tables
from ..probing import samples
from . import claims, named, pairs
from .claims import Claim
from .dim_expressions import UNKNOWN, needed, result_dtypes, without_exceptions
from .function_rules import Study
from .grouping import Choice
from .making import UNKNOWN_SHAPE, Purpose, Row, made, result_of

#: What a Python number is, an int or a float: a bool is an int. NumPy's `float64`, a float, is none: it is not weak.
NUMBER = "int | _PyFloat"
#: The type variables of the row for numbers: two numbers leave both of them open.
DTYPE, SHAPE = "_Rd", "_Sd"


def rows(study: Study) -> Iterator[Row]:
    """The rows but for that of any shapes."""
    if _depends_on_third(study):
        return
    dtypes = needed(study.claims, 2)
    results = result_dtypes(study.claims)
    match study.relation:
        case pairs.BROADCAST:
            yield _arrays(
                study,
                Purpose.GUARD,
                (f"Array[{dtypes[0]}, {UNKNOWN_SHAPE}]", f"Array[{dtypes[1]}, Any]"),
                results,
                UNKNOWN,
            )
            yield _arrays(
                study, Purpose.SAME, (f"Array[{dtypes[0]}, _S]", f"_Base[{dtypes[1]}, _S, _T]"), results, "_T"
            )
        case pairs.FIRST:
            yield _arrays(
                study, Purpose.SHAPE, (f"Array[{dtypes[0]}, _S]", f"Array[{dtypes[1]}, Any]"), results, "_S"
            )
        case pairs.SECOND:
            yield _arrays(
                study, Purpose.SHAPE, (f"Array[{dtypes[0]}, Any]", f"Array[{dtypes[1]}, _S]"), results, "_S"
            )
    if study.relation == pairs.BROADCAST:
        yield from _numbers(study)


def _depends_on_third(study: Study) -> bool:
    """Whether a third argument is an array that the others are broadcast with."""
    return any(samples.OF_RESULT in choice.annotations for choice in made(study).values())


def _arrays(study: Study, purpose: Purpose, operands: tuple[str, str], results: list[str], shape: str) -> Row:
    names = (argument.name for argument in study.probe.arrays)
    choices = {name: Choice((text,), False) for name, text in zip(names, operands, strict=True)}
    leaves = [f"Array[{dtype}, {shape}]" for dtype in results]
    return Row(
        purpose, {**study.free, **made(study), **choices}, result_of(study.result, leaves, len(leaves))
    )


# numbers


def _numbers(study: Study) -> Iterator[Row]:
    """The row for an array and a Python number, on either side, where that is told by the dtype of the array."""
    results = of_numbers(study)
    if results is None:
        return
    if not results:
        array, dtypes = f"Array[Any, {SHAPE}]", result_dtypes(study.claims)
    else:
        named.learn("with_number", results)
        array = f"Array[_Has_{named.name(results)}[{DTYPE}], {SHAPE}]"
        dtypes = [DTYPE] * len(study.claims)
    yield _arrays(study, Purpose.SCALAR, (f"{array} | {NUMBER}", f"{array} | {NUMBER}"), dtypes, SHAPE)


def of_numbers(study: Study) -> claims.Results | None:
    """What the dtype of an array gives with any Python number: open where it matters which; () for a constant.

    None where nothing is known of that.
    """
    assert study.operands is not None
    if all(claim.kind == "constant" for claim in study.claims):
        return ()
    kinds = _kinds(study.operands.second), _kinds(study.operands.first)
    if len(set(study.claims)) > 1 or None in kinds:
        return None
    known = [claim for side in kinds for claim in side or ()]
    results = tuple((node, _agreed(known, node)) for node in tables.nodes())
    return results if any(pair != claims.OPEN for _, pair in results) else None


def _kinds(side: Mapping[str, tuple[Claim, ...]]) -> list[Claim] | None:
    """The claims about a number of each type as one of the operands; None where one is missing."""
    by_kind = [side.get(kind) for kind in ("bool", "int", "float")]
    if any(known is None or len(set(known)) != 1 for known in by_kind):
        return None
    return [without_exceptions(known[0]) for known in by_kind if known]


def _agreed(known: list[Claim], node: str) -> claims.Pair:
    said = {claims.predict(claim, (node,)) for claim in known}
    pair = said.pop() if len(said) == 1 else None
    return pair if pair is not None and "?" not in pair else claims.OPEN
