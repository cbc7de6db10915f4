"""The parts of annotations that have not been analyzed yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mypy.nodes import TypeAlias, TypeInfo
from mypy.types import Type, TypeList, UnboundType, UnionType, get_proper_type

from jaxtyping_core.contracts.axes import Axis
from jaxtyping_core.contracts.dim_strings import DimStringError, parse
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.dim_strings.shapes import texts_in
from jaxtyping_core_mypy.convert.dim_strings.spelling import SUFFIX
from jaxtyping_core_mypy.convert.dim_strings.written import ANNOTATED, is_dtype, text_of


def bound_in(of_array: Type) -> dict[str, UnboundType]:
    """The type variables of dims that have been written into an annotation, by their keys."""
    args = of_array.args if isinstance(of_array, UnboundType) else ()
    return {arg.name: arg for arg in args if isinstance(arg, UnboundType) and arg.name.endswith(SUFFIX)}


def walk(
    api: Any, typ: Type, inside: bool = False, called: bool = False
) -> Iterator[tuple[Type, bool, bool]]:
    """The parts of an annotation, each with whether it is in an invariant container, and in a `Callable`."""
    yield typ, inside, called
    if isinstance(typ, UnionType):
        # Of several arrays, a body finds out which it has: ``if labels.ndim == 1``.
        inside = inside or sum(bool(axes_of(api, item)) for item in typ.items) > 1
        for item in typ.items:
            yield from walk(api, item, inside, called)
    elif isinstance(typ, TypeList):
        for item in typ.items:
            yield from walk(api, item, inside, True)
    elif isinstance(typ, UnboundType) and typ.args:
        symbol = api.lookup_qualified(typ.name, typ, suppress_errors=True)
        fullname = symbol.fullname if symbol and symbol.node else ""
        if fullname in ANNOTATED or bound_in(typ):
            return
        within = inside or fullname not in names.COVARIANT
        within = within or (
            fullname == "typing.Union" and sum(bool(axes_of(api, item)) for item in typ.args) > 1
        )
        for item in typ.args:
            yield from walk(api, item, within, called or fullname in names.CALLABLE)


def is_of_arrays(api: Any, part: Type) -> bool:
    """Whether all arrays fit that an annotation means have a shape to mypy: NumPy's, and numbers, do not tell what a dim is."""
    if not isinstance(part, UnboundType):
        return False
    symbol = api.lookup_qualified(part.name, part, suppress_errors=True)
    if symbol is None or symbol.fullname not in ANNOTATED:
        return True  # a name for an annotation, which keeps the dims of arrays alone
    of_array = part.args[0]
    if not isinstance(of_array, UnboundType):
        return False
    array = api.lookup_qualified(of_array.name, of_array, suppress_errors=True)
    node = array.node if array is not None else None
    if isinstance(node, TypeAlias):
        node = getattr(get_proper_type(node.target), "type", None)
    return isinstance(node, TypeInfo) and node.fullname == names.ARRAY


def axes_of(api: Any, part: Type) -> list[Axis]:
    """The axes that an annotation of jaxtyping's has, or that a name for such annotations stands for."""
    if not isinstance(part, UnboundType):
        return []
    symbol = api.lookup_qualified(part.name, part, suppress_errors=True)
    node = symbol.node if symbol else None
    if isinstance(node, TypeAlias):
        return texts_in(node.target)
    if symbol is None or symbol.fullname not in ANNOTATED or len(part.args) != 2:
        return []
    text = text_of(part.args[1])
    if text is None or not is_dtype(api.cur_mod_node.imports, part.name):
        return []
    try:
        return list(parse(text))
    except DimStringError:
        return []
