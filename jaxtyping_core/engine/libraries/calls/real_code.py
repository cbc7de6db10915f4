"""What real code may change is noted before it runs: `heap` knows by itself only of what the interpreter changes.

Real code may change what it is given, and all that this reaches. It may also change what it was given by calls that have not
ended: libraries keep such in variables of their own: the modules that are called, or the handlers of effects.
What the functions of the program change that it calls is noted where they do so.
"""

from __future__ import annotations

import contextlib
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ...values import heap
from ...values.arrays import object_fields
from ...values.contents import may_hold, no_scopes, reached
from ...values.unknowns import Unknown

#: Where functions are that change nothing that they are given. What the functions do that they are given is another matter.
PURE = frozenset({"jax", "jaxlib", "numpy", "ml_dtypes", "math", "cmath", "jaxtyping_core", "__program__"})
#: Where classes are of which no object does anything by itself when it is read or assigned to.
PLAIN = PURE | {"builtins", "typing", "abc", "enum", "collections", "types", "functools"}
#: What does nothing by itself; a dict with default values does.
DATA = (list, tuple, dict, set, frozenset, types.FunctionType, type, Unknown)
#: Python's own methods, which change at most the object that they are of.
OF_PYTHON = (types.BuiltinMethodType, types.MethodWrapperType)
UNBOUND = (types.MethodDescriptorType, types.WrapperDescriptorType)
#: What was given to the calls that have not ended, and to the contexts that have not been left; the innermost is last.
_running: list[Sequence[Any]] = []
#: When code of a library gives an attribute, by the class of the object and the name.
_NEVER, _IF_ABSENT, _ALWAYS = range(3)
_computed: weakref.WeakKeyDictionary[type, dict[str, int]] = weakref.WeakKeyDictionary()
_of_libraries: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()
_NOTHING: contextlib.AbstractContextManager[None] = contextlib.nullcontext()


def running(f: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> contextlib.AbstractContextManager[None]:
    """Real code is called within."""
    values = _changed_by(f, args, kwargs)
    return _NOTHING if values is None else using(*values)


def using(*values: Any) -> contextlib.AbstractContextManager[None]:
    """Real code within may change what these reach, and what any that runs has."""
    return _Running(values) if values or _running else _NOTHING


def reading(value: Any, name: str) -> contextlib.AbstractContextManager[None]:
    """Within, an attribute of a value is looked up."""
    if not may_hold(value):
        return _NOTHING
    how = _how(type(value), name)
    is_computed = how is _ALWAYS or (how is _IF_ABSENT and name not in (object_fields(value) or ()))
    return using(value) if is_computed else _NOTHING


def asking(value: Any) -> contextlib.AbstractContextManager[None]:
    """Within, a value is iterated over, or asked for an item."""
    return using(value) if is_of_library(type(value)) else _NOTHING


def writing(value: Any, item: Any) -> contextlib.AbstractContextManager[None]:
    """Within, an attribute of a value becomes `item`."""
    heap.changing(value)
    return using(value, item) if is_of_library(type(value)) else _NOTHING


class _Running:
    """Calls that have not ended, or a context that has not been left."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values

    def __enter__(self) -> None:
        _running.append(self.values)
        _note()

    def __exit__(self, *_: object) -> None:
        for i in reversed(range(len(_running))):
            if _running[i] is self.values:
                del _running[i]
                return


def called_back(function: Callable[[], Any], args: Sequence[Any]) -> Any:
    """What a function of the program gives that real code calls: that may change afterwards what it could before."""
    if not _running:
        return function()
    epoch, running = heap.epoch(), _Running((args,))
    _running.append(running.values)
    try:
        return function()
    finally:
        running.__exit__()
        if heap.epoch() != epoch:
            _note()


def _note() -> None:
    if heap.is_held():
        for value, _ in reached([value for values in _running for value in values], no_scopes):
            heap.changing(value)


def _changed_by(f: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any] | None:
    """What a call may change, but for what is noted at once; None if it is nothing."""
    if isinstance(f, OF_PYTHON) and not isinstance(f.__self__, types.ModuleType):
        heap.changing(f.__self__)
        return None
    if isinstance(f, UNBOUND):
        for value in args[:1]:
            heap.changing(value)
        return None
    values = [value for value in (*args, *kwargs.values()) if may_hold(value)]
    is_pure = not is_of_library(f) if isinstance(f, type) else _root(f) in PURE
    if not is_pure or isinstance(f, types.MethodType):
        values.append(f)
    if not is_pure:
        return values
    return [value for value, _ in reached(values, no_scopes) if _does_something(value)] or None


def _does_something(value: Any) -> bool:
    """Whether code that changes nothing itself may lead to other code by a value."""
    if isinstance(value, types.FunctionType):
        return _root(value) not in PURE
    return not isinstance(value, DATA) or hasattr(type(value), "__missing__")


def _root(value: Any) -> str:
    return str(getattr(value, "__module__", None)).partition(".")[0]


def is_of_library(cls: type) -> bool:
    """Whether making an object, or assigning to an attribute of it, may be code of a library."""
    known = _of_libraries.get(cls)
    if known is None:
        known = _of_libraries[cls] = any(_root(base) not in PLAIN for base in cls.__mro__)
    return known


def _how(cls: type, name: str) -> int:
    """When code of a library gives an attribute of this name."""
    known = _computed.setdefault(cls, {})
    if name not in known:
        bases = [vars(base) for base in cls.__mro__ if _root(base) not in PLAIN]
        is_computed = any(
            name in names and not isinstance(names[name], types.FunctionType) for names in bases
        )
        if is_computed or any("__getattribute__" in names for names in bases):
            known[name] = _ALWAYS
        else:
            known[name] = _IF_ABSENT if any("__getattr__" in names for names in bases) else _NEVER
    return known[name]
