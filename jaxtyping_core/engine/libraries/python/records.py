"""What a program reads of records, and what it changes in them: see `values.records`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....identity import identity
from ...values import arrays, heap
from ...values.callables import Method
from ...values.records import (
    Lost,
    Record,
    RecordList,
    RecordMethod,
    Reference,
    fields_of,
    is_small,
    made,
    put,
    visible,
)
from ...values.unknowns import UNKNOWN, has_others
from ..trust.special_names import is_closed_name, is_special

if TYPE_CHECKING:
    from ...interpreter import Interpreter


def attribute(interpreter: Interpreter, record: Record, name: str) -> Any:
    """``record.name``: its methods come first, as those of a class do."""
    cls = type(record)
    if name == "__class__":
        return cls
    if is_special(name):
        return interpreter.opaque(f"the attribute {name} of {cls.__name__}")
    if name in cls.PROPERTIES:
        return cls.PROPERTIES[name]
    if name in cls.METHODS or name in cls.TOLD or name in cls.OTHERS:
        return Method(record, name)
    if name not in fields_of(record):
        return UNKNOWN if cls.HAS_OTHERS else interpreter.failed(AttributeError(name))
    return cls.seen(record, fields_of(record)[name])


def item(interpreter: Interpreter, record: Record, key: Any) -> Any:
    """``record[key]``."""
    holder, last = _at_path(interpreter, record, key)
    if not isinstance(holder, Record):
        return interpreter.item(holder, last)
    if not _is_key(last):
        return UNKNOWN
    if last not in fields_of(holder):
        return UNKNOWN if type(holder).HAS_OTHERS else interpreter.failed(KeyError(last))
    return type(holder).seen(holder, fields_of(holder)[last])


def set_entry(interpreter: Interpreter, record: Record, key: Any, value: Any) -> None:
    """Assign to an entry: ``record.key = value``, or ``record[key] = value``."""
    if type(record).IS_FROZEN:
        interpreter.failed(AttributeError(f"{type(record).__name__} is immutable"))
    elif not _is_key(key):
        lose(interpreter, record)
    elif type(key) is str and is_closed_name(key):
        interpreter.opaque(f"an item with the key {key}")
    elif not is_small(value):
        interpreter.too_much()
        lose(interpreter, record)
    else:
        put(record, key, value)


def set_item(interpreter: Interpreter, record: Record, key: Any, value: Any) -> None:
    """``record[key] = value``."""
    holder, last = _at_path(interpreter, record, key)
    if isinstance(holder, Record):
        set_entry(interpreter, holder, last, value)


def delete(interpreter: Interpreter, record: Record, key: Any) -> None:
    """``del record.key``, or ``del record[key]``."""
    if type(record).IS_FROZEN or not _is_key(key):
        lose(interpreter, record)
    elif key in fields_of(record):
        heap.changing(record)
        del fields_of(record)[key]
    else:
        interpreter.failed(KeyError(key))


def call_method(
    interpreter: Interpreter, record: Record, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    """What a method of a record gives."""
    cls = type(record)
    if name in cls.TOLD:
        return cls.TOLD[name]
    method = cls.METHODS.get(name)
    try:
        if (
            method is None
            or not is_small([record, args, kwargs])
            or any(type(key) is not str for key in kwargs)
            or "**" in kwargs
        ):
            raise Lost
        return method(interpreter, record, args, kwargs)
    except (Lost, IndexError, TypeError):  # also what the method is not called with
        lose(interpreter, record)
        return UNKNOWN


def lose(interpreter: Interpreter, record: Record) -> None:
    """A record has become unknown, wherever it is."""
    interpreter.replace({identity(record): (record, UNKNOWN)})


def _at_path(interpreter: Interpreter, record: Record, key: Any) -> tuple[Any, Any]:
    """What a key with dots leads to, and the rest of the key that is looked up there."""
    if not type(record).HAS_PATHS or type(key) is not str or "." not in key:
        return record, key
    first, _, rest = key.partition(".")
    inner = item(interpreter, record, first)
    return _at_path(interpreter, inner, rest) if isinstance(inner, Record) else (inner, rest)


def _is_key(key: Any) -> bool:
    return type(key) in (str, int, float, bool, type(None))


# Methods that records of several libraries have.


def get(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``record.get(key, default)``."""
    values = dict(zip(("key", "default"), args, strict=False)) | kwargs
    key, default = values["key"], values.get("default", values.get("default_value"))
    if not _is_key(key):
        return UNKNOWN
    holder, last = _at_path(interpreter, record, key)
    if not isinstance(holder, Record):
        return UNKNOWN
    entries = fields_of(holder)
    if last in entries:
        return type(holder).seen(holder, entries[last])
    return UNKNOWN if type(holder).HAS_OTHERS else default


def keys(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``record.keys()``."""
    return list(visible(record))


def values(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``record.values()``."""
    return list(visible(record).values())


def items(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``record.items()``."""
    return list(visible(record).items())


def pop(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``record.pop(key, default)``."""
    key, *default = args
    if not _is_key(key) or kwargs:
        raise Lost
    if key not in fields_of(record):
        return default[0] if default else interpreter.failed(KeyError(key))
    value = type(record).seen(record, fields_of(record)[key])
    delete(interpreter, record, key)
    return value


def setdefault(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``record.setdefault(key, default)``."""
    key, *default = args
    if _is_key(key) and key not in fields_of(record):
        set_entry(interpreter, record, key, default[0] if default else None)
    return item(interpreter, record, key)


def itself(interpreter: Interpreter, record: Record, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A method that gives the record, or a context that does."""
    return record


#: Those that only read.
READING: Mapping[str, RecordMethod] = {"get": get, "keys": keys, "values": values, "items": items}


def mapping(value: Any) -> dict[Any, Any]:
    """The entries of a dict or of a record, as a method takes them.

    Raises:
        Lost: not all of them are known.
    """
    if isinstance(value, Record):
        return dict(fields_of(value))
    if not isinstance(value, dict) or has_others(value) or arrays.holds_unknown([*dict.keys(value)]):
        raise Lost
    return dict(value)


def as_dict(value: Any) -> Any:
    """A record as a dict, and those in it."""
    if not isinstance(value, Record):
        return value
    return heap.made({key: as_dict(each) for key, each in visible(value).items()})


def copy_of(record: Record) -> Record:
    """A copy of a record and of what it holds, without what its entries share."""
    if type(record).IS_FROZEN:
        return record
    return made(type(record), {key: copied(each) for key, each in visible(record).items()})


def copied(value: Any) -> Any:
    """A copy of what an entry holds."""
    if isinstance(value, Record):
        return copy_of(value)
    if type(value) is dict:
        return heap.made({key: copied(each) for key, each in value.items()})
    if type(value) in (list, tuple) or isinstance(value, RecordList):
        return heap.made(type(value)(map(copied, value)))
    return value


def of_reference(interpreter: Interpreter, reference: Reference, name: str) -> Any:
    """An attribute of what entries share: whoever has that may change it."""
    reference.put(UNKNOWN)
    return UNKNOWN


def any_of_its_kind(value: Any, scalar: Any) -> Any:
    """A record with any values of the types that it has now; `scalar` makes one of a type."""
    if isinstance(value, Record):
        return made(type(value), {key: any_of_its_kind(each, scalar) for key, each in visible(value).items()})
    return scalar(type(value)) if type(value) in (bool, int, float, str) else UNKNOWN
