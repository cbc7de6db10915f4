"""The types of dicts and lists that are written out, which know what is under each key and at each place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    TypeQuery,
    TypeTranslator,
    TypeVarType,
    get_proper_type,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import Lookup, is_array

UNKNOWN = AnyType(TypeOfAny.special_form)


class Displays:
    """Makes the types of displays."""

    def __init__(self, api: CheckerPluginInterface, lookup: Lookup) -> None:
        self.api = api
        self.lookup = lookup

    def dict_of(
        self, items: Mapping[str, Type], rest: Type | None = None, name: str = names.DICT_DISPLAY
    ) -> Instance:
        """A dict with these items; `rest` is what is under other keys, None if there are none; `name` is its class."""
        values = [*items.values(), *([] if rest is None else [rest])]
        text = self.api.named_generic_type("builtins.str", [])
        number = self.api.named_generic_type("builtins.int", [])
        keys = number if rest is not None else LiteralType(len(items), number)
        fallback = self.api.named_generic_type("typing._TypedDict", [])
        record = TypedDictType(dict(items), set(items), set(), fallback)
        return Instance(self.lookup(name), [text, broad(merged(values)), record, keys])

    def empty_list(self) -> Instance:
        """A list that may get any items."""
        return self.api.named_generic_type("builtins.list", [UNKNOWN])

    def list_of(self, items: Sequence[Type], name: str = names.LIST_DISPLAY) -> Instance:
        """A list of these items; `name` is its class."""
        alike = all(item == items[0] for item in items) and broad(items[0]) == items[0]
        if alike and name == names.LIST_DISPLAY:
            return self.api.named_generic_type("builtins.list", [broad(items[0])])
        fallback = self.api.named_generic_type("builtins.tuple", [UNKNOWN])
        record = TupleType(list(items), fallback)
        return Instance(self.lookup(name), [broad(merged(items)), record])


def record_of(typ: Type) -> dict[str, Type] | None:
    """What is known under each key of a dict; None where `typ` is no dict that was written out."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or proper.type.fullname not in names.DICTS:
        return None
    record = get_proper_type(proper.args[2])
    return dict(record.items) if isinstance(record, TypedDictType) else {}


def is_whole(typ: Type) -> bool:
    """Whether a dict that was written out has certainly the keys of its record and no others."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    keys, record = get_proper_type(proper.args[3]), record_of(typ)
    # What two branches know differently is no part of the record that is left after them.
    return isinstance(keys, LiteralType) and record is not None and keys.value == len(record)


def rest_of(typ: Type) -> Type | None:
    """What is under other keys than those of a dict's record; None if there are none."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    return None if record_of(typ) is not None and is_whole(typ) else proper.args[1]


def places_of(typ: Type) -> list[Type] | None:
    """What is at each place of a list; None where `typ` is no list that was written out."""
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance) or proper.type.fullname not in names.LISTS:
        return None
    record = get_proper_type(proper.args[1])
    return list(record.items) if isinstance(record, TupleType) else None


def is_display(typ: Type) -> bool:
    """Whether `typ` is a dict or a list that was written out."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname in names.DISPLAYS


def name_of(typ: Type) -> str:
    """The full name of a display's class."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    return proper.type.fullname


def plain(typ: Type) -> Instance:
    """A display as the dict or the list that it is."""
    typ = get_proper_type(typ)
    assert isinstance(typ, Instance)
    base = next(base for base in typ.type.mro if base.fullname in names.DISPLAYS_OF_BUILTINS)
    return Instance(base, list(typ.args[: len(base.type_vars)]), typ.line, typ.column)


class _Broad(TypeTranslator):
    """Displays become dicts and lists, whose type parameters mypy compares."""

    def visit_instance(self, t: Instance) -> Type:
        return super().visit_instance(plain(t) if is_display(t) else t)

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)


def broad(typ: Type) -> Type:
    """`typ` with every display in it as the dict or the list that it is."""
    return typ.accept(_Broad())


def items_of(typ: Type) -> Type | None:
    """What each item of a display is one of; None where `typ` is none."""
    record, places = record_of(typ), places_of(typ)
    if record is not None:
        return merged([*record.values(), *filter(None, [rest_of(typ)])])
    return None if places is None else merged(places)


class _HasArray(TypeQuery[bool]):
    """Whether an array is part of a type."""

    def strategy(self, items: list[bool]) -> bool:
        return any(items)

    def visit_instance(self, t: Instance) -> bool:
        return is_array(t) or super().visit_instance(t)


def has_array(typ: Type) -> bool:
    """Whether an array is part of `typ`."""
    return typ.accept(_HasArray())


def merged(types: Sequence[Type]) -> Type:
    """A type for a value that has one of `types`: what differs is Any, never a class above all of them."""
    first, *others = [get_proper_type(typ) for typ in types] or [UNKNOWN]
    if all(other == first for other in others):
        return first
    if isinstance(first, TupleType):
        tuples = [other for other in others if isinstance(other, TupleType)]
        alike = [other for other in tuples if _shape(other) == _shape(first)]
        if len(alike) < len(others):
            return UNKNOWN
        columns = zip(first.items, *(other.items for other in alike), strict=True)
        return first.copy_modified(items=[merged(column) for column in columns])
    instances = [other for other in (first, *others) if isinstance(other, Instance)]
    if len(instances) < len(types):
        return UNKNOWN
    return _merged_instances(instances)


def _shape(typ: TupleType) -> tuple[object, int]:
    return typ.partial_fallback.type, len(typ.items)


def _merged_instances(instances: list[Instance]) -> Type:
    records = [record_of(instance) for instance in instances]
    # What may be the result of a call fits as one.
    first = next((typ for typ in instances if typ.type.fullname in names.RESULTS), instances[0])
    whole = [record for record in records if record is not None]
    if len(whole) == len(records) and all(record.keys() == whole[0].keys() for record in whole):
        record = get_proper_type(first.args[2])
        assert isinstance(record, TypedDictType)
        items = {key: merged([record[key] for record in whole]) for key in whole[0]}
        keys = first.args[3] if all(map(is_whole, instances)) else UNKNOWN
        values = merged([instance.args[1] for instance in instances])
        return first.copy_modified(
            args=[first.args[0], values, record.copy_modified(item_types=[*items.values()]), keys]
        )
    instances = [plain(typ) if is_display(typ) else typ for typ in instances]
    if any(typ.type != instances[0].type or len(typ.args) != len(instances[0].args) for typ in instances):
        return UNKNOWN
    columns = zip(*(typ.args for typ in instances), strict=True)
    return Instance(instances[0].type, [merged(column) for column in columns])


def asks_for_nothing(context: Type | None) -> bool:
    """Whether the type that mypy expects somewhere says nothing about a display there."""
    proper = None if context is None else get_proper_type(context)
    if isinstance(proper, Instance):
        return proper.type.fullname == "builtins.object" or is_display(proper)
    return proper is None or isinstance(proper, (AnyType, TypeVarType))


def joined(*types: Type | None) -> Type | None:
    """What is under keys of which one or the other says something."""
    present = [typ for typ in types if typ is not None]
    return merged(present) if present else None


def last_of(typ: Type) -> Type:
    """The second item of a pair, what is under the keys of a dict, or the items of a list."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        return proper.items[-1]
    arguments = plain(typ).args if is_display(typ) else proper.args if isinstance(proper, Instance) else ()
    return arguments[-1] if arguments else UNKNOWN


def taking_anything(signature: Type) -> Type:
    """The signature of a method with Any for its last parameter."""
    assert isinstance(signature, CallableType)
    return signature.copy_modified(arg_types=[*signature.arg_types[:-1], UNKNOWN])


def has_text_keys(typ: Type) -> bool:
    """Whether all keys of a dict are texts."""
    proper = get_proper_type(typ)
    key = get_proper_type(proper.args[0]) if isinstance(proper, Instance) else None
    return isinstance(key, Instance) and key.type.fullname == "builtins.str"


def with_last(typ: Type, last: Type) -> Type:
    """A generic type with another last parameter."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    return proper.copy_modified(args=[*proper.args[:-1], last])


def with_values(typ: Type, values: list[Type]) -> Type:
    """A dict with these values, under any keys, or a list of them."""
    return with_last(typ, broad(merged(values)))
