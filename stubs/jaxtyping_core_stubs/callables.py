"""The operators of the array class for mypy: properties that return callables."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from jaxtyping_core import dtypes

from . import joins, operators, tables

#: Operators by what they make of scalars: those of one name share a callable.
FAMILIES: dict[str, str] = {
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor"), "add"),
    **dict.fromkeys(("floordiv", "mod", "lshift", "rshift"), "floordiv"),
    "truediv": "truediv",
    "pow": "pow",
}

#: The members of a family, by whether the scalar stands on the left.
SIDES: dict[bool, str] = {False: "with", True: "rwith"}

#: The rows for two arrays: `{{same}}` is above the dtypes that the table gives back for a pair of equal ones.
ARRAYS = (
    ("_Exact[DT, Sh, _T, {same}]", "Array[DT, _T]"),
    ("_Base[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
    ("Array[{join}[DT, _R], tuple[()]]", "Array[_R, Sh]"),
    ("_ScalarLeft[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
    ("Array[{join}[DT, _R], Any]", "Array[_R, Unk]"),
)
#: Those for a left operand of unknown shape.
UNSHAPED = ARRAYS[-1:]

#: Nothing is known of the other dtype. This comes first: other rows would take it for their own.
UNKNOWN = ("Array[_Sen, Any]", "Array[Unk, Unk]")

#: The row for two arrays of bools, where their dtype is not as the table says.
BOOLS = "Array[_BoolPair[DT], Any]"

#: Of a NumPy operand nothing is known but that the result is an array.
SCALARS = (
    ("_np.generic | _np.ndarray[Any, Any]", "Array[Unk, Unk]"),
    ("_bool", "Array[_RB, Sh]"),
    ("int", "Array[_RI, Sh]"),
    ("_PyFloat", "Array[_RF, Sh]"),
    ("_PyComplex", "Array[_RC, Sh]"),
)

SCALAR_RESULTS = "_RB, _RI, _RF, _RC"


def definitions() -> Iterator[str]:
    """The classes of the callables. Static methods: for others mypy compares `self` with that of every row."""
    yield "class _Operator_unknown:"
    yield "    @staticmethod"
    yield "    def __call__(other: ArrayLike, /) -> Array[Unk, Unk]: ..."
    for family in dict.fromkeys(FAMILIES.values()):
        table = operators.OPERATORS[family].table
        words = {"join": f"_{table.capitalize()}", "same": "generic" if table == "join" else "inexact"}
        arrays, unshaped = (
            [(other.format(**words), result) for other, result in rows] for rows in (ARRAYS, UNSHAPED)
        )
        bools = [(BOOLS, row.result) for row in operators.exceptions(family)]
        without_shape = [(other, result.replace("Sh]", "Unk]")) for other, result in SCALARS]
        yield from _callable(f"_Operator_{family}", "DT, Sh, ", [UNKNOWN, *bools, *arrays, *SCALARS])
        yield from _callable(f"_Unshaped_{family}", "DT, ", [UNKNOWN, *bools, *unshaped, *without_shape])
        yield from _callable(f"_Reflected_{family}", "Sh, ", SCALARS)


def _callable(name: str, parameters: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield f"class {name}(Generic[{parameters}{SCALAR_RESULTS}]):"
    for other, result in rows:
        yield "    @overload"
        yield "    @staticmethod"
        yield f"    def __call__(other: {other}, /) -> {result}: ..."


def finders() -> Iterator[str]:
    """The methods of the array class that find the callable of a family.

    Where nothing is known of the dtype, or of the shape, that is one with fewer rows: mypy checks the right operand
    again for each row that it tries.
    """
    for family in dict.fromkeys(FAMILIES.values()):
        for reflected, side in SIDES.items():
            scalars = f"_Has_{side}_{family}[{SCALAR_RESULTS}]"
            known = f"_Reflected_{family}[Sh, " if reflected else f"_Operator_{family}[DT, Sh, "
            rows = [("Array[_Sen, Any]", "_Operator_unknown")]
            if not reflected:
                rows.append((f"_Base[{scalars}, _Sen, Any]", f"_Unshaped_{family}[DT, {SCALAR_RESULTS}]"))
            rows.append((f"_Base[{scalars}, Any, Any]", f"{known}{SCALAR_RESULTS}]"))
            for own, result in rows:
                yield "@overload"
                yield f"def _find_{side}_{family}(self: {own}) -> {result}: ..."


def definition(name: str, reflected: bool) -> Iterator[str]:
    """The lines that define an operator or its reflection."""
    yield "@property"
    found = f"_Finds_{SIDES[reflected]}_{FAMILIES[name]}[_T]"
    yield f"def __{'r' * reflected}{name}__(self: {found}) -> _T: ..."


def finder_protocols() -> Iterator[str]:
    """The protocols by which the operators ask for their callables."""
    for family in dict.fromkeys(FAMILIES.values()):
        for side in SIDES.values():
            yield f"class _Finds_{side}_{family}(Protocol[_T_co]):"
            yield f"    def _find_{side}_{family}(self) -> _T_co: ..."


@functools.cache
def cell(family: str, kind: str, reflected: bool, cls: str) -> str:
    """What an array of a dtype or abstract class and a Python scalar give; Any where JAX refuses."""
    found = operators.scalar_table(family, kind, reflected)
    accepted = [node for node in joins.members(cls) if found[node] is not None]
    if (
        cls in dtypes.ABSTRACT
        and accepted
        and all(found[node] == tables.class_name(node) for node in accepted)
    ):
        return "Any"  # itself; but mypy would say the bound of a type variable where there is one
    return joins.cover({result for node in accepted if (result := found[node]) is not None}) or "Any"


def methods(node: str) -> Iterator[str]:
    """The methods of a dtype class that say what it makes of the kinds of scalars."""
    for family in dict.fromkeys(FAMILIES.values()):
        for reflected, side in SIDES.items():
            results = (cell(family, kind, reflected, node) for kind in operators.PYTHON)
            yield f"    def _{side}_{family}(self) -> tuple[{', '.join(results)}]: ..."


def protocols() -> Iterator[str]:
    """The protocols of these methods."""
    for family in dict.fromkeys(FAMILIES.values()):
        for side in SIDES.values():
            yield f"class _Has_{side}_{family}(Protocol[_RB, _RI, _RF, _RC]):"
            yield f"    def _{side}_{family}(self) -> tuple[_RB, _RI, _RF, _RC]: ..."


def names() -> list[str]:
    """The names of the protocols."""
    return [f"_Has_{side}_{family}" for family in dict.fromkeys(FAMILIES.values()) for side in SIDES.values()]
