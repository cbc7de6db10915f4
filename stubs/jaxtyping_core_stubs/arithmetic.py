"""The rows of the operators on dtypes: an array with a scalar, or with another array."""

from __future__ import annotations

from collections.abc import Iterator

from . import operators, weak
from .members import Member, lines

#: An array of unknown dtype: the rows for others would be tried, too.
UNKNOWN = (
    Member("Array[_Sen, _S]", "other: _Scalar, /", "Array[Any, _S]"),
    Member(
        "Array[_Sen, Any]",
        "other: Array[Any, Any] | _np.ndarray[Any, Any] | _NumPyArray[Any], /",
        "Array[Any, Any]",
    ),
)
#: Nothing is known of the other dtype. This comes first: other rows would take it for their own.
UNKNOWN_OTHER = Member("", "other: Array[_Sen, Any], /", "Array[Any, Any]")
#: Two arrays of bools, where their dtype is not as the table says.
BOOLS = Member("Array[bool_, Any]", "other: Array[bool_, Any], /", "Array[Any, Any]")
#: Two arrays: `{same}` is above the dtypes that the table gives back for a pair of equal ones.
ARRAYS = (
    ("_UnknownLeft[{join}[DT, _R], Sh]", "Array[_R, Any]"),
    ("_Exact[DT, Sh, _T, {same}]", "Array[DT, _T]"),
    ("_Base[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
    # pyright finds no join of two type variables, such as those of `x - x.mean()` in a generic function.
    ("_Exact[DT, tuple[()], tuple[()], {same}]", "Array[DT, Sh]"),
    ("Array[{join}[DT, _R], tuple[()]]", "Array[_R, Sh]"),
    ("_ScalarLeft[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
    ("Array[{join}[DT, _R], Any]", "Array[_R, Any]"),
)
#: Other scalars: complex numbers, and those of NumPy, of which some are Python's.
SCALARS = Member("", "other: _Scalar, /", "Array[Any, Sh]")
NUMPY = Member("", "other: _np.ndarray[Any, Any], /", "Array[Any, Any]")
#: What `Like` declares, which becomes an array.
LIKE = ("_NumPyArray[Array[{join}[DT, _R], Any]]", "Array[_R, Any]")
#: The tables that are the same with the operands in the other order.
SYMMETRIC = ("join", "divide")

#: The class above the dtypes that a table gives back for a pair of equal ones.
SAME: dict[str, str] = {"join": "generic", "divide": "inexact", "power": "inexact", "bitwise": "integer"}


def definition(name: str) -> Iterator[str]:
    """The lines that define the operator of this name."""
    return lines(name, _rows(_SIDES[name]))


def _rows(side: weak.Side) -> Iterator[Member]:
    family, reflected = side
    yield from UNKNOWN
    yield Member("", f"other: {weak.BOOL}, /", f"Array[{'DT' if weak.keeps_bools(side) else 'Any'}, Sh]")
    for kind in weak.KINDS:
        parameter = weak.parameter(side, kind)
        arguments = ", ".join(name if name == parameter else "Any" for name in weak.columns())
        yield Member(
            f"Array[{weak.PROTOCOL}[{arguments}], _S]", f"other: {kind}, /", f"Array[{parameter}, _S]"
        )
    yield SCALARS
    if not reflected:
        yield from _arrays(family)
    yield NUMPY
    table = operators.OPERATORS[family].table
    if not reflected or table in SYMMETRIC:
        yield Member("", f"other: {LIKE[0].format(join=_protocol(table))}, /", LIKE[1])
    else:
        yield Member("", "other: _NumPyArray[Any], /", "Array[Any, Any]")


def _arrays(family: str) -> Iterator[Member]:
    table = operators.OPERATORS[family].table
    words = {"join": _protocol(table), "same": SAME[table]}
    if operators.differs_for_bools(family):
        yield BOOLS
    yield UNKNOWN_OTHER
    for other, result in ARRAYS:
        yield Member("", f"other: {other.format(**words)}, /", result)


def _protocol(table: str) -> str:
    """The protocol of the dtypes that have a result with another in a table."""
    return f"_{table.capitalize()}"


#: The names of the operators and of their reflections, with what they follow.
_SIDES: dict[str, weak.Side] = {
    f"__{'r' * reflected}{name}__": (family, reflected)
    for family, names in operators.FAMILIES.items()
    for name in names
    for reflected in (False, True)
}
NAMES = tuple(_SIDES)
