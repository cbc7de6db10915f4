"""Dicts and lists that are written out: what is under each key and at each place is known.

mypy gives ``{"w": w, "b": b}`` one type for all of its values. Under the plugin, a display with arrays in it has a type
of its own (`jaxtyping_core._displays`), a dict or a list that also says what each item is. ``params["w"]`` reads that,
``params["w"] = w`` changes it for what follows, and what cannot be followed loses it.
"""

from __future__ import annotations

from mypy.errorcodes import DICT_ITEM, LIST_ITEM
from mypy.nodes import (
    ARG_POS,
    CallExpr,
    DictExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    StrExpr,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.changes import root_of
from jaxtyping_core_mypy.convert import (
    Type,
    has_array,
    literal_containers,
    reopen,
    type_alone,
    union_items,
    widen,
)
from jaxtyping_core_mypy.force_display_hooks import is_marker
from jaxtyping_core_mypy.mypy_internals import take_back
from jaxtyping_core_mypy.site import Site

#: What mypy calls items of another type than the others.
OF_ITEMS = (DICT_ITEM, LIST_ITEM)


def dict_display(site: Site) -> Type:
    """The hook of a dict that is written out where no type is asked for."""
    expression = site.ctx.context
    if not literal_containers.asks_for_nothing(site.api.type_context[-1]) or not isinstance(
        expression, DictExpr
    ):
        return site.default
    items: dict[str, Type] = {}
    rest: Type | None = None
    types = [typ for types in site.ctx.arg_types for typ in types]
    for (key, value), typ in zip(expression.items, types, strict=True):
        if is_marker(value):
            continue
        record = literal_containers.record_of(typ) if key is None else None
        if key is None and record is None:  # another dict: it may have any of the keys before it
            rest = literal_containers.joined(literal_containers.last_of(typ), rest, *items.values())
            items = {}
        elif key is None:
            rest = literal_containers.joined(rest, literal_containers.rest_of(typ))
            items |= record or {}
        elif isinstance(key, StrExpr):
            items[key.value] = literal_containers.last_of(typ)
        else:
            rest = literal_containers.joined(rest, literal_containers.last_of(typ))
    values = [*items.values(), *([] if rest is None else [rest])]
    if not any(map(has_array, values)):
        return site.default
    _accept_items(site)
    if literal_containers.has_text_keys(site.default):
        return site.writer.displays.dict_of(items, rest)
    return literal_containers.with_values(site.default, values)


def list_display(site: Site) -> Type:
    """The hook of a list that is written out where no type is asked for."""
    expression = site.ctx.context
    if not literal_containers.asks_for_nothing(site.api.type_context[-1]) or not isinstance(
        expression, ListExpr
    ):
        return site.default
    length = sum(not is_marker(item) for item in expression.items)
    arguments = zip(site.ctx.arg_types[0], site.ctx.arg_kinds[0], strict=True)
    types = [typ for typ, kind in arguments if kind == ARG_POS]
    whole = len(types) == length and any(map(has_array, types))
    if not whole:
        return site.default
    _accept_items(site)
    return site.writer.displays.list_of(types)


def _accept_items(site: Site) -> None:
    """Take back what mypy says of items that do not fit the type that it has found for all."""
    lines = range(site.ctx.context.line, (site.ctx.context.end_line or site.ctx.context.line) + 1)
    take_back(site.api.errors, lambda error: error.code in OF_ITEMS and error.line in lines)


def item(site: Site) -> Type:
    """The hook of ``params["w"]`` and ``layers[0]``."""
    if _is_stale(site):
        return widen(site.default)
    key = site.ctx.args[0][0]
    record, places = literal_containers.record_of(site.ctx.type), literal_containers.places_of(site.ctx.type)
    if record is not None and isinstance(key, StrExpr) and key.value in record:
        return record[key.value]
    if places is not None:
        value = site.reader.item(key)
        position = getattr(value, "value", None)
        if type(position) is int and -len(places) <= position < len(places):
            return places[position]
    return reopen(site.default)


def united(site: Site) -> Type:
    """The hook of ``params | {"b": b}``."""
    other = site.ctx.arg_types[0][0]
    if isinstance(site.ctx.args[0][0], DictExpr):  # whose items mypy joined, for `|` asks for a dict
        other = type_alone(site.api, site.ctx.args[0][0])
    left, right = literal_containers.record_of(site.ctx.type), literal_containers.record_of(other)
    if left is None or right is None:
        return site.default
    rest = literal_containers.joined(
        literal_containers.rest_of(site.ctx.type), literal_containers.rest_of(other)
    )
    return site.writer.displays.dict_of({**left, **right}, rest, literal_containers.name_of(site.ctx.type))


def copied(site: Site) -> Type:
    """The hook of ``params.copy()``."""
    return site.default if literal_containers.record_of(site.ctx.type) is None else site.ctx.type


def changed(site: Site) -> Type | None:
    """What a variable is after ``params["w"] = w`` or ``params["layer"]["w"] = w``; None where that is not known."""
    target, arguments = site.ctx.context, [expr for exprs in site.ctx.args for expr in exprs]
    if not isinstance(target, IndexExpr) or len(arguments) != 2:
        return None
    variable, keys = root_of(target)
    typ = None if variable is None else site.api.lookup_type_or_none(variable)
    if typ is None or not all(isinstance(key, StrExpr) for key in keys):
        return None
    was_empty = (
        len(keys) == 1
        and isinstance(variable, NameExpr)
        and variable.node not in site.facts.lost
        and site.facts.follows_empty(target, variable)
    )
    texts = [key.value for key in keys if isinstance(key, StrExpr)]
    return _with_item(site, typ, texts, _item(site, arguments[1]), was_empty)


def _item(site: Site, expression: Expression) -> Type:
    """The type of what is put into a dict; what is empty may get anything."""
    if isinstance(expression, ListExpr) and not expression.items:
        return site.writer.displays.empty_list()
    if isinstance(expression, DictExpr) and not expression.items:
        return site.writer.displays.dict_of({})
    typ: Type = type_alone(site.api, expression)
    return typ


def _with_item(site: Site, typ: Type, keys: list[str], item: Type, was_empty: bool) -> Type | None:
    """A dict with another item under the first key, or in what is under the first key."""
    record = literal_containers.record_of(typ)
    if record is None and not was_empty:
        return None
    items, first = record or {}, keys[0]
    if len(keys) > 1:
        inner = _with_item(site, items[first], keys[1:], item, False) if first in items else None
        if inner is None:
            return None
        item = inner
    rest = None if record is None else literal_containers.rest_of(typ)
    name = names.DICT_DISPLAY if record is None else literal_containers.name_of(typ)
    return site.writer.displays.dict_of({**items, first: item}, rest, name)


def iteration(site: Site) -> Type:
    """The hook of the methods that give the items of a display, each of which is like some others of them."""
    if _is_stale(site):
        return widen(site.default)
    items = literal_containers.items_of(site.ctx.type)
    return site.default if items is None else literal_containers.with_last(site.default, items)


def _is_stale(site: Site) -> bool:
    """Whether something was put into a container of one of several types, about which mypy asks no hook."""
    context = site.ctx.context
    base = context.base if isinstance(context, IndexExpr) else None
    base = (
        context.callee.expr
        if isinstance(context, CallExpr) and isinstance(context.callee, MemberExpr)
        else base
    )
    variable = None if base is None else root_of(base)[0]
    typ = None if variable is None else site.api.lookup_type_or_none(variable)
    if variable is None or typ is None or not union_items(typ):
        return False
    return bool(site.facts.changes_of(variable) - site.facts.seen_changes)
