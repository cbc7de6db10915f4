"""The leaves of trees, as far as the types of trees say what they are."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.subtypes import is_proper_subtype
from mypy.types import (
    Instance,
    NoneType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array
from jaxtyping_core_mypy.convert.literal_containers import UNKNOWN, merged
from jaxtyping_core_mypy.convert.typed import SCALAR_CLASSES
from jaxtyping_core_mypy.convert.widening import is_wide, reopen

#: Containers of one kind of part, by which of their type arguments that is.
CONTAINERS = {"builtins.list": 0, "builtins.dict": 1, names.LIST_RESULT: 0, names.DICT_RESULT: 1}


def leaves(tree: Type) -> Type:
    """What the leaves of a tree have in common."""
    return merged(list(_leaves(tree)))


def _leaves(tree: Type) -> Iterator[Type]:
    proper = get_proper_type(tree)
    if isinstance(proper, NoneType):
        return
    parts = _parts(proper)
    if _is_leaf(proper):
        yield reopen(proper)
    elif parts is None:
        yield UNKNOWN
    else:
        for part in parts:
            yield from _leaves(part)


def _is_leaf(typ: Type) -> bool:
    """Whether a value is certainly one leaf, and a number or an array; of several arrays mypy checks each."""
    if isinstance(typ, UnionType):
        return all(map(is_array, typ.items))
    return isinstance(typ, Instance) and (is_array(typ) or typ.type.fullname in SCALAR_CLASSES)


def _parts(typ: Type) -> list[Type] | None:
    """The parts of a container; None where they are not known."""
    if isinstance(typ, TupleType):
        cls = typ.partial_fallback.type
        is_plain = cls.fullname == "builtins.tuple" or cls.is_named_tuple
        return list(typ.items) if is_plain else None
    if isinstance(typ, TypedDictType) and typ.required_keys == typ.items.keys():
        return [typ.items[key] for key in sorted(typ.items)]
    if isinstance(typ, Instance) and typ.type.fullname in CONTAINERS:
        return [typ.args[CONTAINERS[typ.type.fullname]]]
    return None


def mapped(tree: Type, leaf: Type) -> Type | None:
    """The type of `tree` with `leaf` for that of its leaves; None where its leaves are not known."""
    proper = get_proper_type(tree)
    if isinstance(proper, NoneType):
        return proper
    if _is_leaf(proper):
        return leaf
    parts = _parts(proper)
    items = [] if parts is None else [mapped(item, leaf) for item in parts]
    known = [item for item in items if item is not None]
    if parts is None or len(known) < len(items):
        return None
    if isinstance(proper, Instance):
        index = CONTAINERS[proper.type.fullname]
        return proper.copy_modified(args=[*proper.args[:index], *known, *proper.args[index + 1 :]])
    if isinstance(proper, TupleType) and proper.partial_fallback.type.fullname == "builtins.tuple":
        return proper.copy_modified(items=known)
    # The class says what its objects have.
    return proper if all(_is_such(new, old) for new, old in zip(known, parts, strict=True)) else None


def _is_such(new: Type, declared: Type) -> bool:
    """Whether what is known of a value is all that is declared: what is unknown fits, and need not be so."""
    return is_proper_subtype(new, declared) or (is_array(new) and is_array(declared) and is_wide(declared))
