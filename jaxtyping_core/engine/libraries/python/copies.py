"""``copy.copy`` and ``copy.deepcopy``: a new object of the same class that holds the same, or copies of it."""

from __future__ import annotations

import collections
import copy
import enum
import functools
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ....identity import identity
from ...values import arrays, heap
from ...values.records import Record, RecordList, fields_of, is_small, made
from ...values.unknowns import UNKNOWN, is_dim, is_unknown
from . import records

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: What is the same object in its copy.
ATOMS = (
    *(int, float, complex, str, bytes, range, type, types.NoneType, enum.Enum, np.dtype, np.generic),
    *(types.FunctionType, types.BuiltinFunctionType),
)
#: Methods by which a class of the program says how its objects are copied.
HOOKS = ("__deepcopy__", "__copy__", "__reduce_ex__", "__reduce__", "__getstate__", "__setstate__")
#: Containers of which each item is copied.
LISTS = (list, set, frozenset, collections.deque)
DICTS = (dict, collections.OrderedDict, collections.defaultdict)


def copier(is_deep: bool) -> Callable[[Interpreter], Callable[..., Any]]:
    """``copy.deepcopy``, or ``copy.copy``."""

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def copied(value: Any = UNKNOWN, *_: Any) -> Any:
            if isinstance(value, (Record, RecordList)):
                return _of_record(interpreter, value, is_deep)
            return _Copies(interpreter, is_deep).of(value)

        return copied

    return make


def _of_record(interpreter: Interpreter, value: Any, is_deep: bool) -> Any:
    if not is_small(value):
        return interpreter.too_much()
    return (
        records.copied(value)
        if is_deep or isinstance(value, RecordList)
        else made(type(value), fields_of(value))
    )


class _Copies:
    """The copies that one call makes: what is in several places is copied once."""

    def __init__(self, interpreter: Interpreter, is_deep: bool) -> None:
        self._interpreter, self._is_deep = interpreter, is_deep
        self._known: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        """The copy of a value."""
        if identity(value) in self._known:
            return self._known[identity(value)]
        if is_unknown(value) or arrays.is_array(value) or is_dim(value) or isinstance(value, ATOMS):
            return value
        if identity(value) in self._interpreter.made:
            return value
        if isinstance(value, (Record, RecordList)):
            return records.copied(value)
        return self._of_holder(value)

    def _within(self, value: Any) -> Any:
        return self.of(value) if self._is_deep else value

    def _of_holder(self, value: Any) -> Any:
        if type(value) in DICTS:
            new = value.copy()
            self._known[identity(value)] = new
            new.update({key: self._within(item) for key, item in dict.items(value)})
            return heap.made(new)
        if type(value) in LISTS:
            return self._of_items(value, type(value))
        if isinstance(value, tuple):
            return tuple.__new__(type(value), map(self._within, value))
        if type(value) is functools.partial:
            keywords = {name: self._within(item) for name, item in value.keywords.items()}
            return functools.partial(value.func, *map(self._within, value.args), **keywords)
        if isinstance(value, types.MethodType):
            return types.MethodType(value.__func__, self._within(value.__self__))
        return value.copy() if type(value) is np.ndarray else self._of_object(value)

    def _field(self, item: Any, is_of_program: bool) -> Any:
        """What a copy has for what an object holds. What a library keeps beside its arrays has no copy that is known."""
        copied = self._within(item)
        return item if copied is UNKNOWN and not is_of_program else copied

    def _of_items(self, value: Any, kind: Callable[..., Any]) -> Any:
        if kind is list:  # which may hold itself
            new: list[Any] = []
            self._known[identity(value)] = new
            new += map(self._within, value)
            return heap.made(new)
        return heap.made(kind(map(self._within, value)))

    def _of_object(self, value: Any) -> Any:
        """A copy of an object of the program, or of a trusted library."""
        interpreter, cls = self._interpreter, type(value)
        own = [base for base in cls.__mro__ if base in interpreter.classes]
        if any(name in vars(base) for base in own for name in HOOKS):
            interpreter.havoc([value])
            return UNKNOWN
        if not own and not interpreter.libraries.is_trusted(cls):
            return UNKNOWN
        if not own and arrays.object_fields(value) is None:
            return value if callable(value) else UNKNOWN  # as what `jax.jit` makes
        try:
            new = copy.copy(value)
        except Exception:  # code of objects may raise anything: then no more is known
            return UNKNOWN
        self._known[identity(value)] = new
        for name, item in _slots(own, value).items():
            object.__setattr__(new, name, self._within(item))
        fields = getattr(new, "__dict__", None)
        if isinstance(fields, dict) and fields is arrays.object_fields(new):
            held = {name: self._field(item, bool(own)) for name, item in fields.items()}
            fields.update(held)
        return heap.made(new)


def _slots(own: list[type], value: Any) -> Mapping[str, Any]:
    """What an object has in slots that classes of the program declare."""
    names = [name for cls in own for name in vars(cls).get("__slots__", ()) if isinstance(name, str)]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}
