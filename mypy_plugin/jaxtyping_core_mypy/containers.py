"""Precise arrays in variables that live longer than one expression.

mypy fixes the type of an attribute at its first assignment and of a container at its display. With exact
shapes that would refuse ``self.h = self.h @ w`` and ``xs.append(y)``. Attributes whose type was inferred are
therefore widened to any dtype and shape, for assignments and for reads (mypy still narrows to the precise
type right after an assignment), unless the module sets an attribute of that name in one place alone, and so are
containers when something is put into them. What comes out of a
container of several shapes has unknown sizes where they differ.
"""

from __future__ import annotations

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    Var,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.changes import root_of
from jaxtyping_core_mypy.convert import (
    Type,
    class_of,
    has_array,
    is_wide,
    literal_containers,
    reopen,
    type_alone,
    union_items,
    widen,
)
from jaxtyping_core_mypy.site import Site

MUTATORS = {
    "builtins.list": ("append", "insert", "extend", "__setitem__", "__iadd__"),
    "builtins.dict": ("__setitem__", "update", "setdefault", "__ior__"),
    "builtins.set": ("add", "update"),
    "collections.deque": ("append", "appendleft", "extend", "extendleft", "insert", "__setitem__"),
    "typing.MutableSequence": ("append", "insert", "extend", "__setitem__", "__iadd__"),
    "typing.MutableMapping": ("__setitem__", "update", "setdefault"),
    "typing.MutableSet": ("add",),
}
#: Those of which the last argument is the item.
WITH_ITEM = ("append", "appendleft", "insert", "add", "setdefault", "__setitem__")
READERS = {
    "builtins.list": ("__getitem__", "pop"),
    "builtins.dict": ("__getitem__", "get", "pop"),
    "collections.deque": ("__getitem__", "pop", "popleft"),
    "typing.Sequence": ("__getitem__",),
    "typing.Mapping": ("__getitem__", "get"),
    "typing.Iterator": ("__next__",),
}


def _full_names(table: dict[str, tuple[str, ...]]) -> frozenset[str]:
    """The full names of methods, also under the classes of what calls give."""
    both = {**table, **{result: table[base] for result, base in names.RESULTS.items()}}
    return frozenset(f"{cls}.{method}" for cls, methods in both.items() for method in methods)


MUTATOR_METHODS = _full_names(MUTATORS)
READER_METHODS = _full_names(READERS)


def read(site: Site) -> Type:
    """The hook of a method that takes something out of a container."""
    return widen(site.default) if _is_stale(site) else reopen(site.default)


def _is_stale(site: Site) -> bool:
    """Whether something was put into a container of one of several types, about which mypy asks no hook."""
    receiver = _receiver(site.ctx.context)
    variable = None if receiver is None else root_of(receiver)[0]
    typ = None if variable is None else site.api.lookup_type_or_none(variable)
    if variable is None or typ is None or not union_items(typ):
        return False
    return bool(site.facts.changes_of(variable) - site.facts.seen_changes)


def attribute(site: Site) -> Type:
    """The hook of every attribute of the user's classes."""
    if is_wide(site.default):
        return site.default
    info = class_of(site.ctx.type)
    name = site.ctx.context.name if isinstance(site.ctx.context, MemberExpr) else None
    symbol = info.get(name) if info is not None and name else None
    if symbol is None or not isinstance(symbol.node, Var) or not symbol.node.is_inferred:
        return site.default
    owner = symbol.node.info
    of_here = owner.module_name == site.facts.tree.fullname
    return (
        site.default if of_here and site.facts.is_set_once(symbol.node.name, owner) else widen(site.default)
    )


def mutate(site: Site, method: str) -> Type:
    """The hook of the signature of a method that puts something into a container."""
    of_texts = method == "__setitem__" and literal_containers.has_text_keys(site.ctx.type)
    precise = widen(site.ctx.type) != site.ctx.type
    if not precise and not (of_texts and has_array(site.ctx.type)):
        return site.default
    site.facts.seen_changes.add(id(site.ctx.context))
    is_variable = method in WITH_ITEM and isinstance(_receiver(site.ctx.context), (NameExpr, MemberExpr))
    if not _becomes(site, _grown(site) if is_variable else None):
        return site.default
    # What is under a key need not be like what is under others.
    return literal_containers.taking_anything(site.default) if of_texts else widen(site.default)


def _grown(site: Site) -> Type:
    """What a container is after its method has put its last argument into it."""
    new = type_alone(site.api, [expr for exprs in site.ctx.args for expr in exprs][-1])
    return literal_containers.with_values(site.ctx.type, [literal_containers.last_of(site.ctx.type), new])


def _becomes(site: Site, now: Type | None) -> bool:
    """Give the variable that holds the container at hand another type, `now` or a wide one; whether it has one."""
    receiver = _receiver(site.ctx.context)
    variable, _ = root_of(receiver) if receiver is not None else (None, [])
    return variable is not None and forget(site, variable, now)


def forget(site: Site, variable: NameExpr | MemberExpr, now: Type | None = None) -> bool:
    """Give a variable whose type mypy inferred a wide type, and for what follows `now`; whether there is such a type."""
    if not isinstance(variable.node, Var) or not variable.node.is_inferred:
        return False
    typ = site.api.lookup_type_or_none(variable) or variable.node.type
    for name in [variable, *site.facts.other_names(variable, site.api.lookup_type_or_none)]:
        if isinstance(name.node, Var) and name.node.is_inferred and typ is not None:
            name.node.type = widen(typ if now is None else now)
            site.api.binder.put(name, now if now is not None and name is variable else widen(typ))
    return True


def _receiver(context: object) -> Expression | None:
    """The container expression of ``xs.append(y)``, ``xs[0] = y`` and ``xs += ys``."""
    match context:
        case CallExpr(callee=MemberExpr() as callee):
            return callee.expr
        case IndexExpr():
            return context.base
        case OperatorAssignmentStmt():
            return context.lvalue
        case NameExpr() | MemberExpr():
            return context
    return None
