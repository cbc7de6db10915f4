"""The operators of the array class, as overloads.

Which dtype comes out of two arrays is a matter of the dtype classes (`joins`), so a handful of rows serve all pairs;
which one comes out of an array and a Python or NumPy scalar is asked of JAX and grouped into rows. Shapes: equal ones
are kept, a scalar takes the other's, all else is unknown.

mypy spends its time on rows that annotate `self`, whichever of them matches. For mypy an operator is
therefore a property, which finds out once what the dtype makes of each kind of scalar, and returns a callable with
plain rows (`callables`).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from jaxtyping_core import dtypes

from . import joins, tables


class Row(NamedTuple):
    """One overload: the types of the array, of the other operand, and of the result."""

    own: str
    other: str
    result: str


class Operator(NamedTuple):
    """An operator: its function, and the table of dtypes that it follows."""

    function: Callable[[Any, Any], Any]
    table: str = "join"


OPERATORS: dict[str, Operator] = {
    "add": Operator(operator.add),
    "sub": Operator(operator.sub),
    "mul": Operator(operator.mul),
    "truediv": Operator(operator.truediv, "divide"),
    "floordiv": Operator(operator.floordiv),
    "mod": Operator(operator.mod),
    "pow": Operator(operator.pow, "power"),
    "lshift": Operator(operator.lshift),
    "rshift": Operator(operator.rshift),
    "and": Operator(operator.and_),
    "or": Operator(operator.or_),
    "xor": Operator(operator.xor),
}

#: Python scalars: a value of each type, and what the stubs call it. An int is no float here, nor a float a complex.
PYTHON: dict[str, Any] = {"bool": True, "int": 2, "float": 2.0, "complex": 2j}
ANNOTATIONS: dict[str, str] = {"bool": "_bool", "int": "int", "float": "_PyFloat", "complex": "_PyComplex"}

#: The NumPy scalar types, by the dtype that JAX gives them.
NUMPY: tuple[str, ...] = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)


def arrays_for_others(name: str) -> list[Row]:
    """The rows for two arrays in the other checkers. Equal dtypes come first: it is the cheapest row."""
    table = OPERATORS[name].table
    same, join = SAME[table], f"_{table.capitalize()}[_O, _R]"
    return [
        *UNKNOWN_DTYPE,
        *exceptions(name),
        Row(f"Array[{same}, _Sen]", f"_Exact[{same}, Any, Any, Any]", f"Array[{same}, Unk]"),
        Row(f"Array[{same}, _S]", f"_Exact[{same}, _S, _T, Any]", f"Array[{same}, _T]"),
        Row("Array[_O, _Sen]", f"_Base[{join}, Any, _T]", "Array[_R, Unk]"),
        Row("Array[_O, _S]", f"_Base[{join}, _S, _T]", "Array[_R, _T]"),
        Row("Array[_O, tuple[()]]", f"Array[{join}, _T]", "Array[_R, _T]"),
        Row("Array[_O, _S]", f"Array[{join}, tuple[()]]", "Array[_R, _S]"),
        Row("Array[_O, Any]", f"Array[{join}, Any]", "Array[_R, Unk]"),
    ]


#: Only an unknown dtype matches `_Sen`: nothing is known of the result.
UNKNOWN_DTYPE = (
    Row("Array[_Sen, Any]", "Array[Any, Any]", "Array[Unk, Unk]"),
    Row("Array[Any, Any]", "Array[_Sen, Any]", "Array[Unk, Unk]"),
)
#: The same of a NumPy array.
UNKNOWN_NUMPY = Row("Array[Any, Any]", "_np.ndarray[Any, _np.dtype[_NoScalar]]", "Array[Unk, Unk]")

#: A scalar, where nothing is known of the dtype of the array.
UNKNOWN_SCALAR = Row("Array[_Sen, _S]", "_Scalar", "Array[Unk, _S]")
#: A NumPy scalar of some dtype, as in `ArrayLike`.
ANY_SCALAR = Row("Array[Any, _S]", "_np.number[Any] | _np.bool_", "Array[Unk, _S]")

#: The type variable for the dtypes that a table gives back for a pair of equal ones.
SAME = {"join": "_D", "divide": "_D__inexact", "power": "_D__inexact"}


def exceptions(name: str) -> list[Row]:
    """The row for the pair of bools, where it is not as the table says."""
    found = tables.spell(tables.in_both_modes(OPERATORS[name].function, [("bool", "bool")])[0])
    said = joins.cell(OPERATORS[name].table, "bool", "bool")
    if found in (said, None):
        return []
    return [Row("Array[bool_, Any]", "Array[bool_, Any]", f"Array[{found}, Unk]")]


@functools.cache
def with_scalar(name: str, kind: str, reflected: bool) -> tuple[Row, ...]:
    """The rows for an array and a Python scalar."""
    found = scalar_table(name, kind, reflected)
    if kind == "bool":  # it is an int, too: what is as for an int needs no row
        as_int = scalar_table(name, "int", reflected)
        return tuple(
            Row(f"Array[{tables.class_name(node)}, _S]", ANNOTATIONS[kind], f"Array[{result}, _S]")
            for node, result in found.items()
            if result not in (None, as_int[node])
        )
    return tuple(rows_of(found, ANNOTATIONS[kind]))


@functools.cache
def scalar_table(name: str, kind: str, reflected: bool) -> dict[str, str | None]:
    function, value = OPERATORS[name].function, PYTHON[kind]

    def applied(x: Any) -> Any:
        return function(value, x) if reflected else function(x, value)

    results = tables.in_both_modes(applied, [(node,) for node in tables.nodes()])
    return dict(zip(tables.nodes(), map(tables.spell, results), strict=True))


def with_numpy(name: str, reflected: bool) -> tuple[Row, ...]:
    """The rows for an array and a NumPy scalar or array, for the checkers that can solve them."""
    table = OPERATORS[name].table
    return tuple(
        Row(f"Array[{_side(table, node, reflected)}, _S]", annotation, f"Array[_R, {shape}]")
        for node in NUMPY
        for annotation, shape in (
            (_numpy(node), "_S"),
            (f"_np.ndarray[Any, _np.dtype[{_numpy(node)}]]", "Unk"),
        )
    )


def _side(table: str, node: str, reflected: bool) -> str:
    alias = as_default(node)
    return f"_{table.capitalize()}[{alias}, _R]" if reflected else f"_{table.capitalize()}_{alias}[_R]"


def as_default(node: str) -> str:
    """The class for a dtype of NumPy: JAX shrinks its 64-bit types where it has none."""
    return tables.DEFAULTS.get((dtypes.canonical(node, x64=False), node), tables.class_name(node))


def _numpy(node: str) -> str:
    return f"_np.{tables.class_name(node)}"


def rows_of(found: dict[str, str | None], other: str) -> Iterator[Row]:
    """The rows of a table of one dtype: a row for each result, the ones below a class together."""
    groups: dict[str, list[str]] = {}
    for node, result in found.items():
        if result is not None:
            groups.setdefault("same" if result == tables.class_name(node) else result, []).append(node)
    # A weak type is below the default dtype of its kind: what is said of it comes before what is said of that.
    order = sorted(groups, key=lambda group: (group == "same" or not _weak(groups[group]), group != "same"))
    for group in order:
        covers = list(covering(groups[group], found))
        if group == "same":
            variable = "__".join(["_D", *covers])
            yield Row(f"Array[{variable}, _S]", other, f"Array[{variable}, _S]")
        else:
            yield Row(f"Array[{' | '.join(covers)}, _S]", other, f"Array[{group}, _S]")
    if any(
        len({_kind_of_result(found, n) for n in joins.members(cls) if found[n]}) > 1
        for cls in dtypes.ABSTRACT
    ):
        everything = joins.cover({result for result in found.values() if result is not None})
        yield Row("Array[generic, _S]", other, f"Array[{everything}, _S]")


def _kind_of_result(found: dict[str, str | None], node: str) -> str | None:
    return "same" if found[node] == tables.class_name(node) else found[node]


def _weak(group: list[str]) -> bool:
    return any(node in dtypes.WEAK for node in group)


def covering(group: list[str], found: dict[str, str | None]) -> Iterator[str]:
    """The classes that hold `group` and of the rest only what JAX refuses, the largest ones first."""
    left = set(group)
    for cls in dtypes.ABSTRACT:
        accepted = {node for node in joins.members(cls) if found[node] is not None}
        if accepted and accepted <= set(group) and accepted & left:
            left -= accepted
            yield cls
    # A weak type is below the default dtype of its kind: it needs no mention beside it.
    for node in group:
        if node in left and not (node in dtypes.WEAK and _beside_default(node, left)):
            yield tables.class_name(node)


def _beside_default(weak: str, group: set[str]) -> bool:
    return {dtypes.default_dtype(dtypes.WEAK[weak], x64) for x64 in (False, True)} <= group


def variables() -> Iterator[str]:
    """The definitions of the type variables of the rows: each is named after its bound."""
    rows = (
        row
        for name in OPERATORS
        for kind in PYTHON
        for reflected in (False, True)
        for row in with_scalar(name, kind, reflected)
    )
    found = {row.own.removeprefix("Array[").partition(",")[0] for row in rows if "_D__" in row.own} | {
        "_D__generic"
    }
    for variable in sorted(found):
        yield f'{variable} = TypeVar("{variable}", bound={" | ".join(variable.split("__")[1:])})'


#: NumPy scalars that are Python floats and complex numbers as well: their rows come before those.
PYTHON_LIKE = ("_np.float64", "_np.complex128")


def definition(name: str, reflected: bool) -> Iterator[str]:
    """The lines that define an operator or its reflection, for the checkers other than mypy."""
    arrays = [] if reflected else arrays_for_others(name)
    yield from overloads(f"__{'r' * reflected}{name}__", [*arrays, *_scalars(name, reflected)])


def _python(name: str, reflected: bool) -> list[Row]:
    return [row for kind in PYTHON for row in with_scalar(name, kind, reflected)]


def _scalars(name: str, reflected: bool) -> list[Row]:
    numpy = with_numpy(name, reflected)
    first = [row for row in numpy if row.other in PYTHON_LIKE]
    return [
        UNKNOWN_SCALAR,
        *first,
        *_python(name, reflected),
        UNKNOWN_NUMPY,
        *(row for row in numpy if row not in first),
        ANY_SCALAR,
    ]


def overloads(method: str, rows: Iterable[Row]) -> Iterator[str]:
    """The lines of a group of overloads."""
    for row in rows:
        yield "@overload"
        yield f"def {method}(self: {row.own}, other: {row.other}, /) -> {row.result}: ..."
