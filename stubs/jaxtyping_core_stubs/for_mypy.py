"""Operators of the array class for mypy, which pays for each row of an operator, and once more for what is in it.

A class of rows is for arrays of which the shape is unknown, one for arrays without dims, and one for all others, each
with the rows that those need. The first rows are for operands of one dtype, which mypy tells at once; it takes its time
to join two.

mypy checks the right operand again for each row that it tries, but not the left one. It asks the reflected operator
first where two arrays differ in type and the operator and its reflection are of different classes. So it finds the
reflections in a base class, with the rows for two arrays; those of the operator itself are for equal types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from . import finders
from .finders import Case

#: The type of the other operand, and of the result.
Row = tuple[str, str]


class Rows(NamedTuple):
    """What the rows of a family of operators follow."""

    bools: list[Row]  # for two arrays of bools, where their dtype is not as the table says
    python: list[Row]  # for Python scalars
    join: str  # the table of two dtypes
    same: str  # a class above the dtypes that the table gives back for a pair of equal ones
    symmetric: bool  # whether the table is the same from the right


#: Of a NumPy operand mypy learns that the result is an array.
NUMPY: Row = ("_np.generic | _np.ndarray[Any, Any]", "Array[Unk, Unk]")
#: Nothing is known of the other array. This comes first: other rows would take it for their own.
UNKNOWN: Row = ("Array[_Sen, Any]", "Array[Unk, Unk]")

#: What may be an array or a scalar: mypy prefers the second row to the union of what the members give, which would not fit
#: a variable that has held an array of one dtype. It is for no array of a known dtype. What may be scalars of several
#: kinds meets the first, and mypy prefers the union to an Any. One kind alone has met a row before.
UNIONS: list[Row] = [
    ("complex", "Any"),
    ("Array[_Sen, Any] | _np.ndarray[Any, Any] | StaticScalar", "Array[Unk, Unk]"),
]

#: The rows for two arrays by what is known of the shape of this one: the first that fits is taken.
ARRAYS: dict[str, list[Row]] = {
    "Unranked": [
        ("_Exact[DT, Any, Any, {same}]", "Array[DT, Unk]"),
        ("Array[{join}[DT, _R], Any]", "Array[_R, Unk]"),
    ],
    "Scalar": [
        ("_Exact[DT, _Unranked, Any, {same}]", "Array[DT, Unk]"),
        ("_Exact[DT, _T, Any, {same}]", "Array[DT, _T]"),
        ("Array[{join}[DT, _R], _Unranked]", "Array[_R, Unk]"),
        ("Array[{join}[DT, _R], _T]", "Array[_R, _T]"),
    ],
    "Ranked": [
        ("_Exact[DT, _Unranked, Any, {same}]", "Array[DT, Unk]"),
        ("_Exact[DT, Sh, _T, {same}]", "Array[DT, _T]"),
        ("_Exact[DT, tuple[()], Any, {same}]", "Array[DT, Sh]"),
        ("_Exact[DT, Any, Any, {same}]", "Array[DT, Unk]"),
        ("Array[{join}[DT, _R], _Unranked]", "Array[_R, Unk]"),
        ("_Base[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
        ("Array[{join}[DT, _R], tuple[()]]", "Array[_R, Sh]"),
        ("Array[{join}[DT, _R], Any]", "Array[_R, Unk]"),
    ],
}
#: Two arrays of equal types, by whether the table gives back every dtype for a pair of equal ones.
EQUAL: dict[bool, list[Row]] = {
    True: [("Array[DT, Sh]", "Array[DT, Sh]")],
    False: [("_Exact[DT, Sh, Sh, {same}]", "Array[DT, Sh]"), ("Array[{join}[DT, _R], Sh]", "Array[_R, Sh]")],
}

#: The kinds of arrays: the type parameters of the class for it, and what that calls the shape.
KINDS = {
    "Unranked": (finders.UNRANKED, ["DT"], "Unk"),
    "Scalar": (finders.of_rank(0), ["DT"], "tuple[()]"),
    "Ranked": (finders.ANY, ["DT", "Sh"], "Sh"),
}


def of_unknown() -> Iterator[str]:
    """The callable of an array of which nothing is known."""
    yield from finders.operator_class("_Operator", [], [("ArrayLike", "Array[Unk, Unk]")])


def callables(name: str, results: str, family: Rows, reflected: bool) -> Iterator[str]:
    """The callables for the operators that are called `name`, and what finds them."""
    cases = [Case(finders.UNKNOWN, "", "_Operator")]
    for kind, (arrays, parameters, shape) in KINDS.items():
        rows = [
            (re.sub(r"\bSh\b", shape, other), re.sub(r"\bSh\b", shape, result))
            for other, result in [*_rows(kind, family, reflected), *([] if reflected else UNIONS)]
        ]
        static = f"_Operator_{name}_{kind}"
        yield from finders.operator_class(static, [*parameters, results], rows)
        given = ["_D", "_S"][: len(parameters)]
        own = f"_Exact[_D, {['Any', '_S'][len(given) - 1]}, Any, _Has_{name}[{results}]]"
        cases.append(Case(arrays, own, f"{static}[{', '.join(given)}, {results}]"))
    yield from finders.definition(name, cases)


def _rows(kind: str, family: Rows, reflected: bool) -> list[Row]:
    """The rows of a class for one side; of a table that is not symmetric the reflection has none for arrays."""
    words = {"join": family.join, "same": family.same}
    equal = EQUAL[family.same == "generic"]
    arrays = [*family.bools, *((other.format(**words), result) for other, result in ARRAYS[kind])]
    scalars = [NUMPY, *family.python]
    if family.symmetric != reflected:
        both = [*family.bools, *((other.format(**words), result) for other, result in equal)]
        return [*both, *scalars, arrays[-1]] if family.symmetric else scalars
    return [*scalars, UNKNOWN, *arrays]
