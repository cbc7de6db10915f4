"""Python's own functions, for values that may be unknown."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..language.attributes import attribute, may_set
from ..language.expressions import compare
from ..language.functions import Cursor
from ..language.sequences import items_of, length, listed
from ..language.truth import truth
from ..values import arrays
from ..values.joins import join, join_all
from ..values.unknowns import UNKNOWN, Instance, Many, Number, NumpyArray, Partial, Unknown, is_dim

if TYPE_CHECKING:
    from ..machine import Machine

#: Names that are what they are to Python.
PLAIN = (
    *("bytes", "slice", "object", "property", "staticmethod", "classmethod", "NotImplemented", "Ellipsis"),
    *("True", "False", "None"),
    *(
        name
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, Exception)
    ),
)
SCALARS = (bool, int, float, complex, str)
Maker = Callable[["Machine"], Callable[..., Any]]


def _scalar(kind: type) -> Maker:
    def make(machine: Machine) -> Callable[..., Any]:
        def convert(*args: Any, **kwargs: Any) -> Any:
            if not args:
                return kind()
            value = args[0]
            if isinstance(value, (Number, Partial, NumpyArray)) or arrays.is_array(value) or value is UNKNOWN:
                return Number(kind)
            if is_dim(value):
                return value if kind is int else Number(kind)
            if isinstance(value, Unknown):
                return Number(kind)
            if kind is str:
                return str(value) if type(value) in SCALARS else Number(str)
            if kind is bool:
                outcome = truth(value)
                return Number(bool) if outcome is None else outcome
            if type(value) is str and len(value) > 64:
                return Number(kind)
            try:
                return kind(value)
            except Exception as error:
                return machine.failed(error)

        return convert

    return make


def _container(kind: Callable[..., Any]) -> Maker:
    def make(machine: Machine) -> Callable[..., Any]:
        return lambda *args: listed(machine, args[0], kind) if args else kind()

    return make


def _dict(machine: Machine) -> Callable[..., Any]:
    def make(*args: Any, **kwargs: Any) -> Any:
        if not args:
            return dict(kwargs)
        if isinstance(args[0], dict):
            return {**args[0], **kwargs}
        pairs = items_of(machine, args[0])
        if isinstance(pairs, Many) or arrays.holds_unknown(
            [p[0] if isinstance(p, (tuple, list)) and p else UNKNOWN for p in pairs]
        ):
            return UNKNOWN
        return {**dict(pairs), **kwargs}

    return make


def _zip(machine: Machine) -> Callable[..., Any]:
    def zipped(*several: Any, **_: Any) -> Any:
        columns = [items_of(machine, each) for each in several]
        known = [column for column in columns if isinstance(column, list)]
        if known and len(known) == len(columns):
            return Cursor([*zip(*known, strict=False)])
        of_many = [column for column in columns if isinstance(column, Many)]
        if known and not of_many:
            return Many(UNKNOWN)
        items = [
            column.item if isinstance(column, Many) else join_all(column) if column else UNKNOWN
            for column in columns
        ]
        return Many(
            tuple(items), all(bool(c) if isinstance(c, list) else c.some for c in columns), kind=tuple
        )

    return zipped


def _enumerate(machine: Machine) -> Callable[..., Any]:
    def enumerated(iterable: Any, start: Any = 0) -> Any:
        items = items_of(machine, iterable)
        if isinstance(items, Many) or type(start) is not int:
            item = items.item if isinstance(items, Many) else join_all(items)
            return Many((Number(int), item), isinstance(items, Many) and items.some, kind=tuple)
        return Cursor([*enumerate(items, start)])

    return enumerated


def _map(machine: Machine) -> Callable[..., Any]:
    def mapped(function: Any, *several: Any) -> Any:
        rows = _zip(machine)(*several)
        items = items_of(machine, rows)
        if isinstance(items, Many):
            return Many(
                machine.call(function, list(items.item) if isinstance(items.item, tuple) else [UNKNOWN], {}),
                items.some,
            )
        return Cursor([machine.call(function, list(row), {}) for row in items])

    return mapped


def _filter(machine: Machine) -> Callable[..., Any]:
    def filtered(function: Any, iterable: Any) -> Any:
        items = items_of(machine, iterable)
        if isinstance(items, Many):
            return Many(items.item)
        outcomes = [truth(item if function is None else machine.call(function, [item], {})) for item in items]
        if None in outcomes:
            return Many(join_all(items))
        return Cursor([item for item, outcome in zip(items, outcomes, strict=True) if outcome])

    return filtered


def _reversed(machine: Machine) -> Callable[..., Any]:
    def backwards(iterable: Any) -> Any:
        items = items_of(machine, iterable)
        return items if isinstance(items, Many) else Cursor(items[::-1])

    return backwards


def _sorted(machine: Machine) -> Callable[..., Any]:
    def ordered(iterable: Any, key: Any = None, reverse: Any = False) -> Any:
        items = items_of(machine, iterable)
        if isinstance(items, Many):
            return Many(items.item, items.some)
        keys = [item if key is None else machine.call(key, [item], {}) for item in items]
        if arrays.holds_unknown(keys) or any(map(arrays.is_array, keys)) or isinstance(reverse, Unknown):
            return Many(join_all(items), True) if items else []
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(reverse))
        return [items[i] for i in order]

    return ordered


def _sum(machine: Machine) -> Callable[..., Any]:
    def summed(iterable: Any, start: Any = 0) -> Any:
        from ..language.operators import BINARY

        items = items_of(machine, iterable)
        add = next(iter(BINARY.values()))
        if isinstance(items, Many):
            total = machine.call(add, [start, items.item], {})
            again = machine.call(add, [total, items.item], {})
            several = join(total, again)
            return several if items.some else join(start, several)
        total = start
        for item in items:
            total = machine.call(add, [total, item], {})
        return total

    return summed


def _extreme(name: str) -> Maker:
    real = getattr(builtins, name)

    def make(machine: Machine) -> Callable[..., Any]:
        def extreme(*args: Any, key: Any = None, **kwargs: Any) -> Any:
            items = items_of(machine, args[0]) if len(args) == 1 else list(args)
            if isinstance(items, Many):
                return items.item if "default" not in kwargs else join(items.item, kwargs["default"])
            if "default" in kwargs and not items:
                return kwargs["default"]
            keys = [item if key is None else machine.call(key, [item], {}) for item in items]
            plain = all(type(k) in (*SCALARS, tuple) for k in keys) and not arrays.holds_unknown(keys)
            if items and plain:
                return items[real(range(len(items)), key=keys.__getitem__)]
            if items and all(is_dim(item) or type(item) is int for item in items):
                return arrays.unknown_size() if all(is_dim(i) or i > 0 for i in items) else Number(int)
            return join_all(items) if items else UNKNOWN

        return extreme

    return make


def _every(name: str) -> Maker:
    stop = name == "any"

    def make(machine: Machine) -> Callable[..., Any]:
        def every(iterable: Any) -> Any:
            items = items_of(machine, iterable)
            outcomes = [None] if isinstance(items, Many) else [truth(item) for item in items]
            return stop if stop in outcomes else Number(bool) if None in outcomes else not stop

        return every

    return make


def _isinstance(machine: Machine) -> Callable[..., Any]:
    import jax
    import numpy as np

    def is_instance(value: Any, kinds: Any) -> Any:
        if arrays.holds_unknown(kinds) or not _are_classes(kinds):
            return Number(bool)
        several = kinds if isinstance(kinds, tuple) else (kinds,)
        if any(
            getattr(kind, "__name__", "") in ("Tracer", "Array") and kind is not jax.Array for kind in several
        ):
            return Number(bool)
        stands_for = _kind_of(value)
        if stands_for is not None:
            return any(issubclass(stands_for, kind) for kind in several if isinstance(kind, type))
        if isinstance(value, Unknown):
            return Number(bool)
        if is_dim(value):
            return any(isinstance(kind, type) and issubclass(int, kind) for kind in several)
        try:
            return bool(isinstance(value, kinds))
        except Exception:
            return Number(bool)

    def _kind_of(value: Any) -> Any:
        if isinstance(value, Number):
            return value.kind
        if isinstance(value, NumpyArray):
            return np.ndarray
        return jax.Array if isinstance(value, Partial) else value.cls if isinstance(value, Instance) else None

    return is_instance


def _are_classes(kinds: Any) -> bool:
    import types

    if isinstance(kinds, tuple):
        return all(map(_are_classes, kinds))
    return isinstance(kinds, (type, types.UnionType))


def _getattr(machine: Machine) -> Callable[..., Any]:
    def get(holder: Any, name: Any, *default: Any) -> Any:
        if type(name) is not str:
            return UNKNOWN
        machine.guards += 1
        try:
            return attribute(machine, holder, name)
        except Exception as error:
            if default:
                return default[0]
            return machine.failed(error)
        finally:
            machine.guards -= 1

    return get


def _hasattr(machine: Machine) -> Callable[..., Any]:
    def has(holder: Any, name: Any) -> Any:
        if type(name) is not str or isinstance(holder, Unknown):
            return Number(bool)
        machine.guards += 1
        try:
            attribute(machine, holder, name)
        except Exception:
            return False
        finally:
            machine.guards -= 1
        return True

    return has


def _setattr(machine: Machine) -> Callable[..., Any]:
    def put(holder: Any, name: Any, value: Any) -> None:
        from ..language.targets import set_attribute

        if type(name) is str and may_set(machine, holder, name):
            set_attribute(machine, holder, name, value)
        else:
            machine.forget([holder])

    return put


def _type(machine: Machine) -> Callable[..., Any]:
    def kind(*args: Any) -> Any:
        if len(args) != 1 or arrays.is_array(args[0]) or is_dim(args[0]):
            return UNKNOWN
        if isinstance(args[0], Number):
            return args[0].kind
        return UNKNOWN if isinstance(args[0], Unknown) else type(args[0])

    return kind


def _next(machine: Machine) -> Callable[..., Any]:
    def following(iterator: Any, *default: Any) -> Any:
        if isinstance(iterator, Many):
            return iterator.item
        if isinstance(iterator, Cursor):
            if iterator.position < len(iterator.items):
                return next(iterator)
            return default[0] if default else machine.failed(StopIteration())
        if type(iterator) in machine.classes and hasattr(type(iterator), "__next__"):
            return machine.call(type(iterator).__next__, [iterator], {})
        if isinstance(iterator, list):  # a generator expression
            return iterator[0] if iterator else default[0] if default else machine.failed(StopIteration())
        return UNKNOWN

    return following


def _iter(machine: Machine) -> Callable[..., Any]:
    def iterator(iterable: Any, *_: Any) -> Any:
        if isinstance(iterable, Cursor):
            return iterable
        items = items_of(machine, iterable)
        return items if isinstance(items, Many) else Cursor(items)

    return iterator


def _number(name: str) -> Maker:
    real = getattr(builtins, name)

    def make(machine: Machine) -> Callable[..., Any]:
        def computed(*args: Any) -> Any:
            if all(isinstance(arg, (Number, *SCALARS)) for arg in args) and arrays.holds_unknown(args):
                kind = next(arg.kind for arg in args if isinstance(arg, Number))
                return (
                    Number(int)
                    if name == "round" and len(args) == 1
                    else Number(kind)
                    if name != "pow"
                    else UNKNOWN
                )
            if name == "pow":
                from ..language.operators import power

                return power(*args) if len(args) == 2 else UNKNOWN
            from .draws import partially

            return partially(machine, real, list(args), {}) if arrays.holds_unknown(args) else real(*args)

        return computed

    return make


def _said(machine: Machine) -> Callable[..., Any]:
    return lambda *_, **__: None


def _text(machine: Machine) -> Callable[..., Any]:
    return lambda *_, **__: Number(str)


def _range(machine: Machine) -> Callable[..., Any]:
    def made(*args: Any) -> Any:
        if all(type(arg) is int for arg in args):
            return range(*args)
        return Many(Number(int), any(map(is_dim, args)) and len(args) == 1)

    return made


def _callable(machine: Machine) -> Callable[..., Any]:
    def is_callable(value: Any) -> Any:
        if isinstance(value, (Number, Partial, NumpyArray, Many)):
            return False
        return Number(bool) if isinstance(value, Unknown) else callable(value)

    return is_callable


FUNCTIONS: dict[str, Maker] = {
    **{kind.__name__: _scalar(kind) for kind in SCALARS},
    **{kind.__name__: _container(kind) for kind in (list, tuple, set, frozenset)},
    **{name: _extreme(name) for name in ("min", "max")},
    **{name: _every(name) for name in ("any", "all")},
    **{name: _number(name) for name in ("abs", "round", "divmod", "pow")},
    **dict.fromkeys(("print",), _said),
    **dict.fromkeys(("repr", "format", "ascii", "chr", "hex", "bin", "oct"), _text),
    "dict": _dict,
    "zip": _zip,
    "enumerate": _enumerate,
    "map": _map,
    "filter": _filter,
    "reversed": _reversed,
    "sorted": _sorted,
    "sum": _sum,
    "isinstance": _isinstance,
    "issubclass": lambda machine: (
        lambda cls, kinds: (
            Number(bool)
            if arrays.holds_unknown([cls, kinds]) or not _are_classes(kinds) or not isinstance(cls, type)
            else issubclass(cls, kinds)
        )
    ),
    "getattr": _getattr,
    "hasattr": _hasattr,
    "setattr": _setattr,
    "type": _type,
    "next": _next,
    "iter": _iter,
    "range": _range,
    "len": lambda machine: lambda value: length(machine, value),
    "callable": _callable,
    "id": lambda machine: lambda _: Number(int),
    "hash": lambda machine: lambda _: Number(int),
    "ord": lambda machine: lambda _: Number(int),
}
__all__ = ["FUNCTIONS", "PLAIN", "compare"]
