"""Which values real code may be called with, and what may be called: the one place that decides it.

Real code calls what it is given, and looks up special names of objects that it is given. So every value that a call of real
code passes is looked through, at any depth, before the call: each callable in it must be one that the program could call
itself. What is allowed:

- functions and classes of the program, which are walked, and what JAX's transformations made of such;
- functions and classes that a trusted library makes public, but for those of the tables;
- methods of Python's own data, by name;
- partial functions, bound methods and the like, if all their parts are allowed.

All else is not: of such a call nothing is known. The same holds for values that are too large to be looked through, for
iterators that real code may never get to the end of, and for special names among keywords and keys.
"""

from __future__ import annotations

import collections
import functools
import types
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ....identity import identity
from ...values.arrays import object_fields
from ...values.unknowns import Endless, is_dim, is_unknown
from .special_names import is_closed_name
from .tables import CLOSED

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: A value has at most so many parts, counted as often as they are met: JAX, and Python's `==`, visit a part that often.
MOST_PARTS = 400_000
#: Parts are at most so deep in each other.
DEEPEST = 60
#: A longer range takes real code that goes through it too long.
LONGEST = 1 << 20
#: Classes whose values are data. Others are added when a value of theirs is met that turns out to be.
_DATA: set[type] = {int, float, complex, bool, bytes, type(None), type(...), type(NotImplemented), slice}
#: Python's own classes whose methods a program may pass, as ``key=str.lower``.
_OF_TEXTS = frozenset({"format", "format_map"})
_OWNERS = (str, bytes, int, float, complex, bool, list, tuple, dict, set, frozenset, object)
#: Iterators over what a container holds: they end.
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
#: What no program has a use for: it leads to the insides of functions and of the process.
_INSIDES = (
    *(types.FrameType, types.CodeType, types.TracebackType, types.CellType, types.GetSetDescriptorType),
    *(types.MemberDescriptorType, types.CoroutineType, types.AsyncGeneratorType),
)
_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_BOUND = (types.BuiltinMethodType, types.MethodWrapperType)
_CACHED: type = type(functools.lru_cache(lambda: None))


class Closed(Exception):
    """A value that no real code is given. The text says which."""


def refusal(interpreter: Interpreter, f: Any, args: Iterable[Any], kwargs: dict[str, Any]) -> str | None:
    """What of a call of real code is not allowed; None if all of it is."""
    look = _Look(interpreter)
    try:
        look.callee(f)
        if isinstance(f, type) and issubclass(f, BaseException):
            return None
        for arg in args:
            if type(arg) not in _DATA:
                look.at(arg)
        if kwargs:
            look.at(kwargs)
    except Closed as closed:
        return str(closed)
    except (RecursionError, MemoryError):
        return "a value that is too large"
    return None


def may_have(interpreter: Interpreter, value: Any) -> bool:
    """Whether a value may be given to real code, as a part of a class, say."""
    return refusal(interpreter, None, (value,), {}) is None


def is_small(value: Any) -> bool:
    """Whether Python's own code, which visits each part as often as it is met, is soon done with a value."""
    if type(value) not in (list, tuple, dict, set, frozenset):
        return True
    look = _Look(None)
    try:
        look.at(value)
    except (Closed, RecursionError):
        return False
    return True


def is_inside(value: Any) -> bool:
    """Whether a value is one of the insides of functions, or of the process."""
    return isinstance(value, _INSIDES)


class _Look:
    """One look through the values of a call. Without a interpreter, only their sizes are looked at."""

    def __init__(self, interpreter: Interpreter | None) -> None:
        self.interpreter = interpreter
        #: The parts of each container, by its id; None while it is being looked through.
        self.parts: dict[int, int | None] = {}
        self.kept: list[Any] = []

    def callee(self, f: Any) -> None:
        """See whether something may be called."""
        if isinstance(f, type) and issubclass(f, type):
            raise Closed("a class of classes")
        self.at(f)

    def at(self, value: Any, depth: int = 0) -> int:
        """See whether a value is allowed; the number of its parts."""
        kind = type(value)
        if kind in _DATA:
            return 1
        if kind is str:
            if depth < 2 and is_closed_name(value) and self.interpreter is not None:
                raise Closed(f"the name {value}")
            return 1
        if kind in _CONTAINERS or isinstance(value, (list, tuple, dict, set, frozenset, collections.deque)):
            return self._container(value, depth)
        if (
            self.interpreter is None
            or identity(value) in self.parts
            or identity(value) in self.interpreter.functions
        ):
            return 1
        if is_unknown(value):
            if kind is Endless:
                raise Closed("an endless iterator")
            return 1
        if _is_data(value):
            _DATA.add(kind)
            return 1
        self.parts[identity(value)] = 1
        self.kept.append(value)
        self._object(value, depth)
        return 1

    def _container(self, value: Any, depth: int) -> int:
        key = identity(value)
        if key in self.parts:
            known = self.parts[key]
            if known is None:
                raise Closed("a value that contains itself")
            return known
        if depth > DEEPEST:
            raise Closed("a value that is nested too deeply")
        self.parts[key] = None
        self.kept.append(value)
        if isinstance(value, dict):
            count = dict.__len__(value) + self._keys(value, depth)
            items: Iterable[Any] = dict.values(value)
            if isinstance(value, collections.defaultdict):
                self.at(value.default_factory, depth + 1)
        else:
            items = _ITERATING[next(cls for cls in type(value).__mro__ if cls in _ITERATING)](value)
            count = len(items)
        if kinds := set(map(type, items)) - _DATA:
            count += self._items(items, kinds, depth)
        if count > MOST_PARTS:
            raise Closed("a value that is too large")
        if type(value) not in _CONTAINERS and self.interpreter is not None:
            self._fields(value, depth)
        self.parts[key] = count
        return count

    def _keys(self, value: dict[Any, Any], depth: int) -> int:
        count = 0
        for name in dict.keys(value):
            if type(name) is str:
                if name[:2] == "__" and is_closed_name(name) and self.interpreter is not None:
                    raise Closed(f"the name {name}")
            elif type(name) not in _DATA:
                count += self.at(name, depth + 1)
        return count

    def _items(self, items: Iterable[Any], kinds: set[type], depth: int) -> int:
        """The parts of the items of these kinds, which are not all data."""
        count = 0
        for item in items:
            if type(item) in kinds:
                count += self.at(item, depth + 1)
                if count > MOST_PARTS:
                    raise Closed("a value that is too large")
        return count

    def _object(self, value: Any, depth: int) -> None:
        """See whether something that is no plain data is allowed."""
        if depth > DEEPEST:
            raise Closed("a value that is nested too deeply")
        interpreter = self.interpreter
        assert interpreter is not None
        if isinstance(value, type):
            self._class(value)
            return
        if identity(value) in interpreter.natives.ours or identity(value) in interpreter.made:
            return
        for kinds, parts in _PARTS:
            if isinstance(value, kinds):
                for part in parts(value):
                    self.at(part, depth + 1)
                return
        if isinstance(value, _DESCRIPTORS):
            if value.__objclass__ not in _OWNERS and not issubclass(value.__objclass__, BaseException):
                raise Closed(f"{value.__objclass__.__qualname__}.{value.__name__}")
            _see_method(value.__objclass__, value.__name__)
        elif isinstance(value, _BOUND) and not isinstance(value.__self__, (types.ModuleType, type(None))):
            _see_method(type(value.__self__), value.__name__)
            self.at(value.__self__, depth + 1)
        elif isinstance(value, types.ModuleType):
            if not interpreter.libraries.is_open(value):
                raise Closed(f"the module {value.__name__}")
        elif isinstance(value, _INSIDES):
            raise Closed(f"a {type(value).__name__}")
        elif isinstance(value, range):
            if len(value) > LONGEST:
                raise Closed("a range that is too long")
        else:
            self._instance(value, depth)

    def _class(self, cls: type) -> None:
        interpreter = self.interpreter
        assert interpreter is not None
        if any(base in interpreter.classes for base in cls.__mro__) or cls in _PLAIN_CLASSES:
            return
        if issubclass(cls, type):
            raise Closed("a class of classes")
        if not (interpreter.libraries.may_see(cls) and interpreter.libraries.is_trusted(cls)):
            raise Closed(f"{cls.__module__}.{cls.__qualname__}")

    def _instance(self, value: Any, depth: int) -> None:
        interpreter = self.interpreter
        assert interpreter is not None
        cls = type(value)
        is_own = any(base in interpreter.classes for base in cls.__mro__)
        if callable(value) and not is_own:
            self._callable(value, cls)
        if hasattr(cls, "__next__") and not is_own and not cls.__module__.startswith(_OURS):
            raise Closed(f"an iterator ({cls.__qualname__})")
        if cls.__module__ == "typing":  # an alias calls what it is one of
            self.at(getattr(value, "__origin__", None), depth + 1)
        self._fields(value, depth)

    def _callable(self, value: Any, cls: type) -> None:
        """See whether what is no function of the program may be called."""
        interpreter = self.interpreter
        assert interpreter is not None
        module = getattr(value, "__module__", None)
        if str(module).startswith(_OURS):
            return
        is_function = isinstance(value, (types.FunctionType, types.BuiltinFunctionType))
        told = cls if module is None and not is_function else value
        is_denied = not is_function and identity(cls) in interpreter.libraries.denied()
        if is_denied or not (interpreter.libraries.may_see(value) and interpreter.libraries.is_trusted(told)):
            raise Closed(f"{module or 'builtins'}.{_name_of(value)}")

    def _fields(self, value: Any, depth: int) -> None:
        for field in (object_fields(value) or {}).values():
            if type(field) not in _DATA:
                self.at(field, depth + 1)


#: The packages of our own functions and iterators, of which a program sees those in the tables alone.
_OURS = tuple(f"{__name__.partition('.engine.')[0]}.{layer}." for layer in ("engine", "sampling"))
_CONTAINERS = frozenset({list, tuple, dict, set, frozenset})
#: Classes of Python that are passed to be compared with.
_PLAIN_CLASSES = frozenset(
    {object, type(None), type(...), types.FunctionType, types.MethodType, types.BuiltinFunctionType, range}
)


#: The items of containers, whatever the program's classes that are derived from these say.
_ITERATING: dict[type, Callable[[Any], list[Any]]] = {
    kind: (lambda value, iterate=kind.__iter__: list(iterate(value)))  # type: ignore[misc]  # mypy infers no lambda
    for kind in (list, tuple, set, frozenset, collections.deque)
}


#: What consists of parts of which each must be allowed, and these.
_PARTS: tuple[tuple[Any, Callable[[Any], Iterable[Any]]], ...] = (
    (functools.partial, lambda each: (each.func, each.args, each.keywords)),
    (types.MethodType, lambda each: (each.__func__, each.__self__)),
    ((staticmethod, classmethod), lambda each: (each.__func__,)),
    (property, lambda each: (each.fget, each.fset, each.fdel)),
    (_CACHED, lambda each: (each.__wrapped__,)),
    (super, lambda each: (each.__self__,)),
    (types.GenericAlias, lambda each: (each.__origin__,)),
    (types.MappingProxyType, lambda each: (dict(each),)),
    ((weakref.ref, weakref.WeakValueDictionary, weakref.WeakKeyDictionary, weakref.WeakSet), lambda each: ()),
    (_VIEWS, lambda each: (list(each),)),
)


def _see_method(owner: type, name: str) -> None:
    """See whether a method of Python's own, or of an array of NumPy, may be called."""
    if name in _OF_TEXTS or is_closed_name(name) or (name in CLOSED and owner not in _OWNERS):
        raise Closed(f"the method {name}")


def _name_of(value: Any) -> str:
    return str(getattr(value, "__qualname__", None) or type(value).__qualname__)


def _is_data(value: Any) -> bool:
    """Whether a value is an array, a dtype or a size, as all values of its class are."""
    return isinstance(value, (jax.Array, np.ndarray, np.generic, np.dtype)) or is_dim(value)
