"""The operators of the array class for mypy and zuban: properties that return callables."""

from __future__ import annotations

import functools
from collections.abc import Iterator

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

#: The rows of a callable: of a NumPy operand nothing is known but that the result is an array.
CALLABLE = """
class _Operator_{family}(Generic[DT, Sh, _RB, _RI, _RF, _RC]):
    @overload
    def __call__(self, other: Array[_Sen, Any], /) -> Array[Unk, Unk]: ...
{exceptions}    @overload
    def __call__(self: _Operator_{family}[Any, _Sen, Any, Any, Any, Any], other: Array[{join}[DT, _R], Any], /) -> Array[_R, Unk]: ...
    @overload
    def __call__({own}, other: _Exact[{same}, Sh, _T], /) -> Array[{same}, _T]: ...
    @overload
    def __call__(self, other: _Base[{join}[DT, _R], Sh, _T], /) -> Array[_R, _T]: ...
    @overload
    def __call__(self, other: Array[{join}[DT, _R], tuple[()]], /) -> Array[_R, Sh]: ...
    @overload
    def __call__(self: _Operator_{family}[Any, tuple[()], Any, Any, Any, Any], other: Array[{join}[DT, _R], _T], /) -> Array[_R, _T]: ...
    @overload
    def __call__(self, other: Array[{join}[DT, _R], Any], /) -> Array[_R, Unk]: ...
    @overload
    def __call__(self, other: _np.generic | _np.ndarray[Any, Any], /) -> Array[Any, Unk]: ...
    @overload
    def __call__(self: _Operator_{family}[{variable}, Any, Any, Any, Any, Any], other: int | _PyFloat, /) -> Array[{variable}, Sh]: ...
    @overload
    def __call__(self, other: _bool, /) -> Array[_RB, Sh]: ...
    @overload
    def __call__(self, other: int, /) -> Array[_RI, Sh]: ...
    @overload
    def __call__(self, other: _PyFloat, /) -> Array[_RF, Sh]: ...
    @overload
    def __call__(self, other: _PyComplex, /) -> Array[_RC, Sh]: ...

class _Reflected_{family}(Generic[DT, Sh, _RB, _RI, _RF, _RC]):
    @overload
    def __call__(self, other: _np.generic | _np.ndarray[Any, Any], /) -> Array[Any, Unk]: ...
    @overload
    def __call__(self: _Reflected_{family}[{variable}, Any, Any, Any, Any, Any], other: int | _PyFloat, /) -> Array[{variable}, Sh]: ...
    @overload
    def __call__(self, other: _bool, /) -> Array[_RB, Sh]: ...
    @overload
    def __call__(self, other: int, /) -> Array[_RI, Sh]: ...
    @overload
    def __call__(self, other: _PyFloat, /) -> Array[_RF, Sh]: ...
    @overload
    def __call__(self, other: _PyComplex, /) -> Array[_RC, Sh]: ...
"""


def definitions() -> Iterator[str]:
    """The classes of the callables."""
    for family in dict.fromkeys(FAMILIES.values()):
        table = operators.OPERATORS[family].table
        same = "DT" if table == "join" else operators.SAME[table]
        exceptions = "".join(
            f"    @overload\n    def __call__(self: _Operator_{family}[bool_, Any, Any, Any, Any, Any], "
            f"other: {row.other}, /) -> {row.result}: ...\n"
            for row in operators.exceptions(family)
        )
        text = CALLABLE.format(
            family=family,
            join=f"_{table.capitalize()}",
            own="self" if same == "DT" else f"self: _Operator_{family}[{same}, Any, Any, Any, Any, Any]",
            same=same,
            variable="_D__inexact",
            exceptions=exceptions,
        )
        yield text


def definition(name: str, reflected: bool) -> Iterator[str]:
    """The lines that define an operator or its reflection."""
    family, side = FAMILIES[name], SIDES[reflected]
    result = f"_{'Reflected' if reflected else 'Operator'}_{family}[DT, Sh, _RB, _RI, _RF, _RC]"
    yield "@property"
    yield (
        f"def __{'r' * reflected}{name}__(self: Array[_Has_{side}_{family}[_RB, _RI, _RF, _RC], Any]) -> {result}: ..."
    )


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
        return joins.SELF
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
