"""Configurations of OmegaConf: dicts and lists with values that name others, and values of declared types."""

from __future__ import annotations

import collections.abc
import re
from collections.abc import Mapping
from typing import Any

from ...engine.libraries.python import declared_fields, records
from ...engine.values import heap
from ...engine.values.records import Lost, Record, RecordList, fields_of, put, visible
from ...engine.values.unknowns import UNKNOWN, AbstractScalar, has_others, is_many

NAME = "omegaconf"
#: A value that is to be given elsewhere.
MISSING = "???"
#: A value that names others, and one such name: a path, or a call of a resolver.
NAMES = "${"
NAMED = re.compile(r"\$\{([^${}]*)\}")
PATH = re.compile(r"\.*\w+(?:\.\w+)*")
#: Characters of a value that names others, with what these are.
LONGEST = 2_000
#: Names that lead to others.
DEEPEST = 10
SCALARS = (str, int, float, bool, type(None))


class ListConfig(collections.abc.MutableSequence[Any]):
    """What a program sees of the class of lists in configurations."""


class Items(RecordList):
    """A list in a configuration. Values in it that name others are unknown."""

    SEEN_AS = ListConfig


class DictConfig(Record):
    """A configuration.

    Attributes:
        parent: the configuration that it is in; None for an outermost one. It has none if that is not known.
        kinds: the types that entries are declared with.
    """

    __slots__ = ("kinds", "parent")
    parent: DictConfig | None
    kinds: Mapping[Any, Any]

    @classmethod
    def stored(cls, record: Record, key: Any, value: Any) -> Any:
        """Dicts and lists become configurations, and values get the declared type."""
        kinds = getattr(record, "kinds", {})
        return node(cast(value, kinds[key]) if key in kinds else value, record)

    @classmethod
    def seen(cls, record: Record, value: Any) -> Any:
        """A value that names others is what these are."""
        return resolved(record, value)

    @classmethod
    def has(cls, record: Record, key: Any) -> bool | None:
        """A value that is to be given elsewhere is not there."""
        value = fields_of(record).get(key, MISSING)
        if value is UNKNOWN or (type(value) is str and NAMES in value):
            return None
        return not (type(value) is str and value == MISSING)


_mapping: Any = collections.abc.MutableMapping
_mapping.register(DictConfig)
for _cls in (DictConfig, ListConfig):
    _cls.__module__ = f"{NAME}.{_cls.__name__.lower()}"


def config_of(
    entries: Mapping[Any, Any], parent: Any = None, kinds: Mapping[Any, Any] | None = None
) -> DictConfig:
    """A configuration with copies of these entries; `parent` is None for an outermost one."""
    config = DictConfig()
    config.parent, config.kinds = parent, {} if kinds is None else kinds
    heap.made(config)
    for key, value in entries.items():
        fields_of(config)[key] = DictConfig.stored(config, key, value)
    return config


def fields_without(config: DictConfig, key: str) -> DictConfig:
    """A copy of a configuration without an entry."""
    entries = {name: value for name, value in fields_of(config).items() if name != key}
    return config_of(entries, kinds=getattr(config, "kinds", {}))


def node(value: Any, parent: Any) -> Any:
    """What a configuration keeps of a value: a copy of a dict, a list or a configuration."""
    if isinstance(value, DictConfig):
        return config_of(fields_of(value), parent, getattr(value, "kinds", {}))
    if isinstance(value, dict):
        return UNKNOWN if has_others(value) else config_of(value, parent)
    if isinstance(value, (list, tuple)):
        return heap.made(Items(_item(each, parent) for each in value))
    return UNKNOWN if is_many(value) else value


def _item(value: Any, parent: Any) -> Any:
    return UNKNOWN if type(value) is str and (NAMES in value or value == MISSING) else node(value, parent)


def cast(value: Any, kind: Any) -> Any:
    """A value as an entry of a declared type has it, which `declared_fields.kind_of` gives."""
    if type(value) is str and (NAMES in value or value == MISSING):
        return value
    if kind is UNKNOWN and isinstance(value, (Record, dict)):
        return value
    if kind is str and type(value) in (int, float, bool):
        return str(value)
    return declared_fields.cast(list(value) if isinstance(value, Items) else value, kind)


def resolved(record: Record, value: Any, depth: int = 0) -> Any:
    """What a value is once all is known that it names; unknown where a resolver of the program says it."""
    if type(value) is not str or (NAMES not in value and value != MISSING):
        return value
    if value == MISSING or depth > DEEPEST:
        return UNKNOWN
    whole = NAMED.fullmatch(value)
    if whole:
        return _named(record, whole[1], depth)
    # What these name is not followed any further: there may be many.
    parts = [_named(record, match[1], DEEPEST) for match in NAMED.finditer(value)]
    length = len(value) + sum(len(part) for part in parts if type(part) is str)
    is_known = all(type(part) in (str, int, bool) for part in parts) and length <= LONGEST
    if NAMES in NAMED.sub("", value) or not is_known:
        return AbstractScalar(str)
    texts = iter(parts)
    return NAMED.sub(lambda _: str(next(texts)), value)


def _named(record: Record, path: str, depth: int) -> Any:
    """What a path names: with dots before it, it begins at the configuration with the value, or at one around that."""
    if not PATH.fullmatch(path):
        return UNKNOWN
    names = path.lstrip(".")
    try:
        holder: Any = record
        if path == names:
            while holder.parent is not None:
                holder = holder.parent
        for _ in range(len(path) - len(names) - 1):
            holder = holder.parent
    except AttributeError:  # it is not known what it is in
        return UNKNOWN
    return _at(holder, names.split("."), depth)


def _at(holder: Any, names: list[str], depth: int = 0) -> Any:
    for name in names:
        if isinstance(holder, DictConfig) and name in fields_of(holder):
            holder = resolved(holder, fields_of(holder)[name], depth + 1)
        elif isinstance(holder, Items) and name.isdecimal() and int(name) < len(holder):
            holder = holder[int(name)]
        else:
            return UNKNOWN
    return holder


def selected(config: Any, path: str, default: Any) -> Any:
    """What is at a path below a configuration; `default` where nothing is."""
    holder, names = config, path.split(".")
    for name in names:
        if not isinstance(holder, DictConfig):
            return UNKNOWN
        if name not in fields_of(holder):
            return default
        value = fields_of(holder)[name]
        if type(value) is str and value == MISSING:
            return default
        holder = resolved(holder, value)
    return holder


def put_at(config: Any, path: str, value: Any) -> None:
    """Assign to what is at a path below a configuration.

    Raises:
        Lost: there is no configuration on the way.
    """
    first, _, rest = path.partition(".")
    if not isinstance(config, DictConfig) or "[" in path:
        raise Lost
    if not rest:
        put(config, first, value)
        return
    if not isinstance(fields_of(config).get(first), DictConfig):
        if not isinstance(fields_of(config).get(first), (type(None), *SCALARS)):
            raise Lost
        put(config, first, {})
    put_at(fields_of(config)[first], rest, value)


def merge_into(config: DictConfig, other: Any) -> None:
    """Take over the entries of another configuration: those in configurations of both one by one.

    Raises:
        Lost: the other one is none that is known.
    """
    if not isinstance(other, (DictConfig, dict)) or (isinstance(other, dict) and has_others(other)):
        raise Lost
    entries = fields_of(other) if isinstance(other, DictConfig) else other
    for key, value in entries.items():
        held = fields_of(config).get(key)
        if isinstance(held, DictConfig) and isinstance(value, (DictConfig, dict)):
            merge_into(held, value)
        elif not (key in fields_of(config) and type(value) is str and value == MISSING):
            put(config, key, value)


def as_plain(value: Any, resolves: bool) -> Any:
    """A configuration as dicts and lists, whose values name others or are what these are."""
    if isinstance(value, DictConfig):
        entries = visible(value) if resolves else fields_of(value)
        return heap.made({key: as_plain(each, resolves) for key, each in entries.items()})
    return heap.made([as_plain(each, resolves) for each in value]) if isinstance(value, Items) else value


def _get(interpreter: Any, config: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``config.get(key, default)``, which takes a value that is to be given elsewhere for none."""
    values = dict(zip(("key", "default_value"), args, strict=False)) | kwargs
    key = values["key"]
    if type(key) not in (str, int, bool, float):
        return UNKNOWN
    value = fields_of(config).get(key, MISSING)
    is_there = not (type(value) is str and value == MISSING)
    return resolved(config, value) if is_there else values.get("default_value")


def _update(interpreter: Any, config: Record, args: list[Any], kwargs: dict[str, Any]) -> None:
    for other in (*args, kwargs):
        for key, value in records.mapping(other).items():
            put(config, key, value)


def _merge_with(interpreter: Any, config: Record, args: list[Any], kwargs: dict[str, Any]) -> None:
    assert isinstance(config, DictConfig)
    for other in args:
        merge_into(config, other)


def _copy(interpreter: Any, config: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    return node(config, getattr(config, "parent", None))


DictConfig.METHODS = {
    **records.READING,
    "get": _get,
    "pop": records.pop,
    "setdefault": records.setdefault,
    "update": _update,
    "merge_with": _merge_with,
    "copy": _copy,
}
DictConfig.TOLD = {"is_empty": AbstractScalar(bool)}
DictConfig.OTHERS = frozenset({"clear", "popitem", "items_ex", "merge_with_cli", "merge_with_dotlist"})
