"""The operators of the array class: attributes that give callables.

What checkers spend on an operator grows with its rows, whichever of them matches: each is bound to the array first. So
an operator is a descriptor that finds out once what the dtype makes of each kind of scalar, and gives a callable with
few rows: mypy's are in `for_mypy`. It can be called itself, which satisfies protocols with the operator.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from jaxtyping_core import dtypes

from . import for_mypy, joins, operators, switches, tables

#: Operators by what they make of scalars: those of one name share a callable.
FAMILIES: dict[str, str] = {
    **dict.fromkeys(("add", "sub", "mul"), "add"),
    **dict.fromkeys(("floordiv", "mod"), "floordiv"),
    **dict.fromkeys(("lshift", "rshift"), "lshift"),
    "truediv": "truediv",
    "pow": "pow",
    **dict.fromkeys(("and", "or", "xor"), "and"),
}
NAMES = tuple(dict.fromkeys(FAMILIES.values()))

#: The members of a family, by whether the scalar stands on the left.
SIDES: dict[bool, str] = {False: "with", True: "rwith"}

#: A row of a callable: the type of the other operand, and of the result.
Rows = list[tuple[str, str]]

#: Nothing is known of the other dtype. This comes first: other rows would take it for their own.
UNKNOWN = ("Array[_Sen, Any]", "Array[Unk, Unk]")
#: Two arrays of which nothing but the dtypes is known.
ANY_SHAPE = ("Array[{join}[DT, _R], Any]", "Array[_R, Unk]")

#: Two arrays: `{{same}}` is above the dtypes that the table gives back for a pair of equal ones.
ARRAYS: Rows = [
    ("_UnknownLeft[{join}[DT, _R], Sh]", "Array[_R, Unk]"),
    ("_Exact[DT, Sh, _T, {same}]", "Array[DT, _T]"),
    ("_Base[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
    ("Array[{join}[DT, _R], tuple[()]]", "Array[_R, Sh]"),
    ("_ScalarLeft[{join}[DT, _R], Sh, _T]", "Array[_R, _T]"),
    ANY_SHAPE,
]
#: The row for two arrays of bools, where their dtype is not as the table says.
BOOLS = "Array[_BoolPair[DT], Any]"

#: Python scalars, an int being no float. A kind that JAX refuses has a row, too: `ArrayLike` may be one.
PYTHON: Rows = [
    ("_bool", "Array[_RB, Sh]"),
    ("int", "Array[_RI, Sh]"),
    ("_PyFloat", "Array[_RF, Sh]"),
    ("_PyComplex", "Array[_RC, Sh]"),
]
RESULTS = "_RB, _RI, _RF, _RC"


def definitions() -> Iterator[str]:
    """The classes of the callables, for mypy and for the others."""
    yield from switches.for_mypy_and_others(
        [*for_mypy.of_unknown(), *(line for family in NAMES for line in _for_mypy(family))],
        [*_unknown(), *(line for family in NAMES for line in _for_others(family))],
    )


def _for_mypy(family: str) -> Iterator[str]:
    words = _words(family)
    rows = for_mypy.Rows(
        _bools(family),
        PYTHON,
        words["join"],
        words["same"],
        joins.symmetric(operators.OPERATORS[family].table),
    )
    for reflected, side in SIDES.items():
        yield from for_mypy.callables(f"{side}_{family}", RESULTS, rows, reflected)


def _for_others(family: str) -> Iterator[str]:
    arrays = [UNKNOWN, *_bools(family), *_with_words(family, ARRAYS)]
    for reflected, side in SIDES.items():
        name = f"_Rows_{side}_{family}"
        rows = [
            *_bound(name, operators.scalars_of_numpy(family, reflected)),
            *(_row("self", *row) for row in [*PYTHON, *([] if reflected else arrays)]),
            *_bound(name, operators.with_numpy(family, reflected)),
        ]
        yield f"class {name}(Generic[DT, Sh, {RESULTS}]):"
        yield from _overloads(rows)
        yield f"class _Finds_{side}_{family}:"
        unknown = _get("Array[_Sen, _S]", "_Rows_unknown[_S]")
        known = f"_Exact[_D, _S, Any, _Has_{side}_{family}[{RESULTS}]]"
        known = _get(f"{known} | None", f"{name}[_D, _S, {RESULTS}]")
        # pyright takes the first row for an array of unknown dtype, which spares it the rest; the others take none.
        yield f"    if {switches.PYRIGHT}:"
        yield from switches.indented(_overloads([unknown, known]))
        yield "    else:"
        yield f"        def {known}: ..."
        yield "    def __call__(self, other: Any, /) -> Any: ..."


def _unknown() -> Iterator[str]:
    """The callable of an array of unknown dtype."""
    yield "class _Rows_unknown(Generic[Sh]):"
    yield from _overloads(
        [
            _row("self", "_Scalar", "Array[Unk, Sh]"),
            _row("self", "ArrayLike", "Array[Unk, Unk]"),
        ]
    )


def _bound(name: str, rows: Iterable[operators.Row]) -> Iterator[str]:
    """Rows that ask for the dtype of the array by the class of the callable."""
    for row in rows:
        own = f"self: {name}[{row.own}, Any, Any, Any, Any, Any]" if row.own else "self"
        yield _row(own, row.other, row.result)


def _get(instance: str, result: str) -> str:
    return f"__get__(self, instance: {instance}, owner: Any, /) -> {result}"


def _row(own: str, other: str, result: str) -> str:
    return f"__call__({own}, other: {other}, /) -> {result}"


def _overloads(rows: Iterable[str]) -> Iterator[str]:
    for row in rows:
        yield "    @overload"
        yield f"    def {row}: ..."


#: The class above the dtypes that a table gives back for a pair of equal ones.
SAME: dict[str, str] = {"join": "generic", "divide": "inexact", "power": "inexact", "bitwise": "integer"}


def _words(family: str) -> dict[str, str]:
    table = operators.OPERATORS[family].table
    return {"join": f"_{table.capitalize()}", "same": SAME[table]}


def _with_words(family: str, rows: Rows) -> Rows:
    words = _words(family)
    return [(other.format(**words), result) for other, result in rows]


def _bools(family: str) -> Rows:
    return [(BOOLS, row.result) for row in operators.exceptions(family)]


def base(plain: dict[str, list[str]]) -> Iterator[str]:
    """The base class of the operators, given the lines that define each of them for the plugin.

    Only for mypy without the plugin the array class has operators of its own.
    """
    yield "class _Operators(Generic[DT, Sh]):"
    for name in FAMILIES:
        forward, reflected = plain[f"__{name}__"], plain[f"__r{name}__"]
        lines = [
            *switches.for_mypy_and_others(forward, [_descriptor(name, reflected=False)]),
            *switches.by_checker(
                [_descriptor(name, reflected=True)], reflected, [_descriptor(name, reflected=True)]
            ),
        ]
        yield from switches.indented(lines)


def own() -> Iterator[str]:
    """What the array class defines itself."""
    yield f"if {switches.NO_PLUGIN} and {switches.MYPY}:"
    for name in FAMILIES:
        yield f"    {_descriptor(name, reflected=False)}"


def _descriptor(name: str, reflected: bool) -> str:
    return f"{_dunder(name, reflected)}: _Finds_{SIDES[reflected]}_{FAMILIES[name]}"


def _dunder(name: str, reflected: bool) -> str:
    return f"__{'r' * reflected}{name}__"


#: The names of the operators and of their reflections.
DUNDERS = frozenset(_dunder(name, reflected) for name in FAMILIES for reflected in SIDES)


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
    for family in NAMES:
        for reflected, side in SIDES.items():
            results = (cell(family, kind, reflected, node) for kind in operators.PYTHON)
            yield f"    def _{side}_{family}(self) -> tuple[{', '.join(results)}]: ..."


def protocols() -> Iterator[str]:
    """The protocols of these methods."""
    for family in NAMES:
        for side in SIDES.values():
            yield f"class _Has_{side}_{family}(Protocol[_RB, _RI, _RF, _RC]):"
            yield f"    def _{side}_{family}(self) -> tuple[_RB, _RI, _RF, _RC]: ..."


def names() -> list[str]:
    """The names of the protocols."""
    return [f"_Has_{side}_{family}" for family in NAMES for side in SIDES.values()]
