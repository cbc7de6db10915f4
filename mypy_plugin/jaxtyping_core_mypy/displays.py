"""Dicts and lists that are written out: their items are what all of the arrays in them have in common.

What is under each key and at each place, the evaluation of the program knows. mypy looks for one type above all items:
of two arrays that differ there may be none but `object`.
"""

from __future__ import annotations

from mypy.errorcodes import DICT_ITEM, LIST_ITEM
from mypy.nodes import ARG_POS, DictExpr, ListExpr

from jaxtyping_core_mypy.convert import Type, has_array, literal_containers
from jaxtyping_core_mypy.force_display_hooks import is_marker
from jaxtyping_core_mypy.mypy_internals import take_back
from jaxtyping_core_mypy.site import Site

#: What mypy calls items of another type than the others.
OF_ITEMS = (DICT_ITEM, LIST_ITEM)


def dict_display(site: Site) -> Type:
    """The hook of a dict that is written out where no type is asked for."""
    expression = site.ctx.context
    if not isinstance(expression, DictExpr):
        return site.default
    types = [typ for types in site.ctx.arg_types for typ in types]
    pairs = zip(expression.items, types, strict=True)
    return _of(site, [literal_containers.last_of(typ) for (_, value), typ in pairs if not is_marker(value)])


def list_display(site: Site) -> Type:
    """The hook of a list that is written out where no type is asked for."""
    expression = site.ctx.context
    if not isinstance(expression, ListExpr):
        return site.default
    length = sum(not is_marker(item) for item in expression.items)
    arguments = zip(site.ctx.arg_types[0], site.ctx.arg_kinds[0], strict=True)
    types = [typ for typ, kind in arguments if kind == ARG_POS]
    return _of(site, types) if len(types) == length else site.default


def _of(site: Site, items: list[Type]) -> Type:
    """The container of these items; mypy's own type where no array is among them."""
    if not literal_containers.asks_for_nothing(site.api.type_context[-1]) or not any(map(has_array, items)):
        return site.default
    # Take back what mypy says of items that do not fit the type that it has found for all.
    lines = range(site.ctx.context.line, (site.ctx.context.end_line or site.ctx.context.line) + 1)
    take_back(site.api.errors, lambda error: error.code in OF_ITEMS and error.line in lines)
    return literal_containers.with_values(site.default, items)
