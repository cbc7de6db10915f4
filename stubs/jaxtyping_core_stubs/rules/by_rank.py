"""Rows of functions that treat weak types and bools by the number of dims: an array without any keeps its weak type.

Where that is so, the rows for arrays of any shape leave such dtypes open. Here each row for arrays of one shape becomes
several: for an unknown shape, for no dims, and, since those come before, for arrays that do have dims.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from . import pairs, rows
from .grouping import Choice
from .making import UNKNOWN_SHAPE, Row
from .study import Known, Study
from .terms import UNKNOWN

_ARRAY = re.compile(r"(Array|_Base)\[(.*)\]")
NO_DIMS = "tuple[()]"
_SCALARS = {(annotation,) for annotation in pairs.OPERANDS.values()}
ANY_SCALAR = "_bool | float | _complex"
#: What a row looks like but for its dtypes.
Form = tuple[tuple[str, str], ...]


def overloads(found: Study) -> list[Row]:
    """The overloads of a function, with those that only hold for some numbers of dims."""
    plain = rows.rows(found)
    if found.alone is None or found.with_dims is None:
        return list(beside_unknown(plain))
    return list(beside_unknown(refined(plain, _rows(found, found.alone), _rows(found, found.with_dims))))


def beside_unknown(made: Iterable[Row]) -> Iterator[Row]:
    """The rows, and before those of arrays of one shape beside Python scalars those of arrays of unknown shapes."""
    before: set[Form] = set()
    for row in made:
        for guard in _of_unknown_beside(row):
            if _form(guard) not in before:
                before.add(_form(guard))
                yield guard
        yield row


def _of_unknown_beside(row: Row) -> Iterator[Row]:
    """The rows of unknown shapes and dtypes, for scalars of any kind, in place of one of several arrays and a scalar."""
    scalars = {
        name: Choice((ANY_SCALAR,), False)
        for name, choice in row.choices.items()
        if choice.annotations[:1] in _SCALARS and not choice.left_out
    }
    if not scalars or not _of_one_shape(row) or len(_operands(row)) < 2:
        return
    for guard in of_unknown_shape(row):
        arrays = {
            name: Choice((f"Array[Any{shape}]",), False) for name, (_, _, shape) in _operands(guard).items()
        }
        result = re.sub(r"Array\[\w+, \w+\]", f"Array[{UNKNOWN}, {UNKNOWN}]", guard.result)
        yield Row({**guard.choices, **arrays, **scalars}, result)


def _rows(found: Study, known: Known) -> list[Row]:
    return rows.rows(found._replace(**known._asdict()))


def refined(plain: list[Row], alone: list[Row], with_dims: list[Row]) -> Iterator[Row]:
    """The rows `plain`, those for arrays of one shape split by what holds for no dims, and where there are dims."""
    before: set[Form] = set()
    of_none, of_some = ({_form(row): row for row in reversed(several)} for several in (alone, with_dims))
    for row in plain:
        form = _form(row)
        more = of_some.pop(form, row)
        if more != row and _of_one_shape(
            row
        ):  # an array of unknown shape would be taken for one without dims
            yield from (guard for guard in of_unknown_shape(row) if _form(guard) not in before)
            yield _without_dims(of_none.get(form, row))
            yield more
        else:
            yield row
        before.add(form)


def _form(row: Row) -> Form:
    return tuple(sorted((name, " | ".join(_shapes(choice))) for name, choice in row.choices.items()))


def _shapes(choice: Choice) -> Iterator[str]:
    for text in choice.annotations:
        kind, dtype, shape = parts(text)
        yield shape.removesuffix(", _T") if dtype else kind


def parts(annotation: str) -> tuple[str, str, str]:
    """The class of an array, its dtype, and its shape or shapes with the comma before; else all in one."""
    found = _ARRAY.fullmatch(annotation)
    if found is None:
        return annotation, "", ""
    depth = 0
    for place, letter in enumerate(found[2]):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            return found[1], found[2][:place], found[2][place:]
    return annotation, "", ""


def _operands(row: Row) -> Mapping[str, tuple[str, str, str]]:
    found = {name: parts(choice.annotations[0]) for name, choice in row.choices.items() if choice.annotations}
    return {name: each for name, each in found.items() if each[1]}


def _of_one_shape(row: Row) -> bool:
    shapes = [shape for _, _, shape in _operands(row).values()]
    return bool(shapes) and set(shapes) <= {", _S", ", _S, _T"}


def _with_shapes(row: Row, shapes: Mapping[str, str], result: str) -> Row:
    """The row with other shapes of the arrays and of the result."""
    made = {
        name: Choice((f"Array[{dtype}, {shapes[name]}]",), False)
        for name, (_, dtype, _) in _operands(row).items()
    }
    return Row({**row.choices, **made}, re.sub(r", _[ST]\]", f", {result}]", row.result))


def _without_dims(row: Row) -> Row:
    return _with_shapes(row, dict.fromkeys(_operands(row), NO_DIMS), NO_DIMS)


def of_unknown_shape(row: Row) -> Iterator[Row]:
    """The rows where the shape of one array is not known."""
    names = list(_operands(row))
    for name in names:
        shapes = {other: UNKNOWN_SHAPE if other == name else "Any" for other in names}
        yield _with_shapes(row, shapes, UNKNOWN)
