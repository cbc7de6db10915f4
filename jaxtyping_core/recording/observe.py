"""Looks at objects of a running program without changing anything.

No code of the program is called: no `__getattr__`, `__len__`, `__eq__`, `__hash__` or property. No array is computed or
moved: only its abstract value is read, which JAX has at hand. Equal observations are one object, so that a call is known by
the identities of what it got.
"""

from __future__ import annotations

import functools
import itertools
import sys
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from jaxtyping_core.identity import identity
from jaxtyping_core.recording.observed import (
    DTYPE,
    Array,
    Cut,
    Dict,
    Items,
    Object,
    Observed,
    Scalar,
)

#: How deep containers are looked into, how many items of one, and how many objects in all.
DEPTH = 10
WIDTH = 64
BUDGET = 2000
#: Ints from 0 up to this one may be sizes; names of longer keys and attributes are data.
LARGEST_SIZE = 2**20
LONGEST_NAME = 100
#: How many different observations an observer remembers.
REMEMBERED = 50_000
#: How many abstract values it remembers.
AVALS = 1000

_CUT = Cut()
_NONE, _INT, _FLOAT, _COMPLEX, _STR = map(Scalar, ("None", "int", "float", "complex", "str"))
_BOOLS = {value: Scalar("bool", value) for value in (False, True)}
_CALLED = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.ClassMethodDescriptorType,
    functools.partial,
    staticmethod,
    classmethod,
)
#: JAX's objects that are functions: what `jit`, `custom_jvp` and `custom_vjp` return.
_TRANSFORMED = ("PjitFunction", "PmapFunction", "custom_jvp", "custom_vjp", "custom_vmap")

#: How an object is looked at; None where it is in no other one.
Look = Callable[[Any, "_Walk | None"], Observed]


def observe(obj: object) -> Observed:
    """What is kept of an object; see `jaxtyping_core.recording.observed`."""
    return Observer().observe(obj)


class _Walk:
    """Where we are in one object: what is above, and how much more may be looked at."""

    __slots__ = ("above", "left")

    def __init__(self) -> None:
        self.above: list[int] = []
        self.left = BUDGET


class Observer:
    """Observes objects; two observations of one observer that are equal are the same object."""

    def __init__(self) -> None:
        #: By the identity of a class; the classes are kept so that it stays their own.
        self._looks: dict[int, Look] = {}
        self._classes: list[type] = []
        self._arrays: dict[Any, Array] = {}
        #: By the identity of an abstract value, which is kept so that it stays its own.
        self._avals: dict[int, tuple[Observed, object]] = {}
        self._ints: dict[int, Scalar] = {}
        self._others: dict[Any, Observed] = {}
        #: The identities of the containers that have an array in them.
        self._with_arrays: set[int] = set()

    def observe(self, obj: object) -> Observed:
        """What is kept of an object."""
        look = self._looks.get(identity(type(obj)))
        return (look or self._learn(type(obj)))(obj, None)

    def attributes(self, obj: object, names: Collection[str] | None = None) -> dict[str, Observed]:
        """What is kept of the attributes that an object itself has, its slots included: of all, or of some."""
        walk = _Walk()
        walk.above.append(identity(obj))
        own = [(name, value) for name, value in _own(obj) if _is_name(name)]
        return {name: self._look(value, walk) for name, value in own if names is None or name in names}

    @property
    def full(self) -> bool:
        """Whether another observer should take over, so that memory is bounded."""
        return len(self._others) + len(self._arrays) + len(self._ints) > REMEMBERED

    def has_arrays(self, observed: Observed) -> bool:
        """Whether there is an array in what this observer has observed."""
        return type(observed) is Array or identity(observed) in self._with_arrays

    def is_array(self, obj: object) -> bool:
        """Whether an object is an array."""
        look = self._looks.get(identity(type(obj))) or self._learn(type(obj))
        return getattr(look, "func", look) in (self._concrete, self._jax_array, self._numpy_array)

    def _look(self, obj: object, walk: _Walk) -> Observed:
        look = self._looks.get(identity(type(obj)))
        return (look or self._learn(type(obj)))(obj, walk)

    def _learn(self, cls: type) -> Look:
        """How objects of a class are looked at, from now on."""
        look = self._looks[identity(cls)] = self._chosen(cls)
        self._classes.append(cls)
        return look

    def _chosen(self, cls: type) -> Look:
        exact: dict[type, Look] = {
            type(None): lambda obj, walk: _NONE,
            bool: lambda obj, walk: _BOOLS[obj],
            int: self._int,
            float: lambda obj, walk: _FLOAT,
            complex: lambda obj, walk: _COMPLEX,
            str: lambda obj, walk: _STR,
            tuple: functools.partial(self._items, "tuple", None, ()),
            list: functools.partial(self._items, "list", None, ()),
            dict: functools.partial(self._dict, None),
        }
        for kind, look in exact.items():
            if cls is kind:
                return look
        bases = mro(cls)
        if _is_jax_array(cls, bases):
            return self._concrete if class_name(cls).endswith(".ArrayImpl") else self._jax_array
        numpy = sys.modules.get("numpy")
        if numpy is not None and any(base is numpy.ndarray or base is numpy.generic for base in bases):
            base = next(base for base in bases if base is numpy.ndarray or base is numpy.generic)
            return functools.partial(self._numpy_array, base)
        name = class_name(cls)
        if (numpy is not None and any(base is numpy.dtype for base in bases)) or _is_scalar_of_jax(cls):
            return functools.partial(self._opaque, DTYPE, False)
        if any(base is type for base in bases):
            return functools.partial(self._class, name)
        if any(base is dict for base in bases):
            return functools.partial(self._dict, name)
        if any(base is tuple for base in bases) and (names := _named_tuple(bases)) is not None:
            return functools.partial(self._items, "tuple", name, names)
        if any(base is kind for base in bases for kind in _CALLED):
            return functools.partial(self._opaque, name, True)
        if name.rpartition(".")[2] in _TRANSFORMED and name.startswith(("jax.", "jaxlib.")):
            return functools.partial(self._opaque, name, True)
        if _has_fields(cls, bases):
            return functools.partial(self._object, name)
        return functools.partial(self._opaque, name, False)

    # Leaves

    def _int(self, obj: int, walk: _Walk | None) -> Observed:
        known = self._ints.get(obj)
        if known is not None:
            return known
        if not 0 <= obj <= LARGEST_SIZE:
            return _INT
        known = self._ints[obj] = Scalar("int", obj)
        return known

    def _opaque(self, name: str, called: bool, obj: object, walk: _Walk | None) -> Observed:
        return self._kept((name, called), lambda: Object(name, called=called), ())

    def _class(self, name: str, obj: Any, walk: _Walk | None) -> Observed:
        """A class; those of NumPy's numbers stand for their dtypes."""
        generic = getattr(sys.modules.get("numpy"), "generic", None)
        if any(base is generic for base in mro(obj)):
            return self._opaque(DTYPE, False, obj, walk)
        return self._opaque(name, True, obj, walk)

    def _concrete(self, obj: Any, walk: _Walk | None) -> Observed:
        """An array with contents: those that one compiled program gives have one abstract value."""
        aval = obj.aval
        known = self._avals.get(identity(aval))
        if known is None:
            if len(self._avals) >= AVALS:
                self._avals.clear()
            known = self._avals[identity(aval)] = (self._jax_array(obj, walk), aval)
        return known[0]

    def _jax_array(self, obj: Any, walk: _Walk | None) -> Observed:
        try:
            aval = obj.aval
            if type(aval).__name__ != "ShapedArray":  # a mutable reference, a token
                return self._opaque(class_name(type(obj)), False, obj, walk)
            return self._array("jax", aval.shape, aval.dtype, aval.weak_type)
        except Exception:  # a tracer that has leaked, an array of a version of JAX that we do not know
            return self._opaque(class_name(type(obj)), False, obj, walk)

    def _numpy_array(self, base: Any, obj: object, walk: _Walk | None) -> Observed:
        return self._array("numpy", base.shape.__get__(obj), base.dtype.__get__(obj), False)

    def _array(self, library: str, shape: tuple[Any, ...], dtype: Any, weak: bool) -> Observed:
        key = (library, shape, dtype, weak)
        known = self._arrays.get(key)
        if known is None:
            dims = tuple(int(dim) if isinstance(dim, int) else None for dim in shape)
            known = self._arrays[key] = Array(_dtype_name(dtype), dims, bool(weak), library)
        return known

    # Containers

    def _items(
        self, kind: str, name: str | None, names: tuple[str, ...], obj: Any, walk: _Walk | None
    ) -> Observed:
        base: Any = list if kind == "list" else tuple
        items = self._inside(obj, base.__iter__(obj), walk)
        if items is None:
            return _CUT
        if base.__len__(obj) > WIDTH:
            names = names[:WIDTH]
        parts = tuple(items)
        return self._kept((kind, name, names), lambda: Items(kind, parts, name, names), parts)

    def _dict(self, name: str | None, obj: dict[Any, Any], walk: _Walk | None) -> Observed:
        try:
            pairs = [*itertools.islice(dict.items(obj), WIDTH + 1)]
        except RuntimeError:  # another thread changes it
            return _CUT
        pairs = [(key, value) for key, value in pairs if type(key) is int or _is_name(key)]
        items = self._inside(obj, (value for _, value in pairs), walk)
        if items is None or len(pairs) > WIDTH:
            return _CUT
        keys, parts = tuple(key for key, _ in pairs), tuple(items)
        return self._kept(("dict", name, keys), lambda: Dict(keys, parts, name), parts)

    def _object(self, name: str, obj: object, walk: _Walk | None) -> Observed:
        own = [(attribute, value) for attribute, value in _own(obj) if _is_name(attribute)]
        items = self._inside(obj, (value for _, value in own), walk)
        if items is None:
            return self._opaque(name, False, obj, walk)
        held = [(own[i][0], item) for i, item in enumerate(items[: len(own)]) if self.has_arrays(item)]
        names, fields = tuple(name for name, _ in held), tuple(item for _, item in held)
        return self._kept((name, False, names), lambda: Object(name, names, fields), fields)

    def _inside(self, obj: object, values: Iterable[Any], walk: _Walk | None) -> list[Observed] | None:
        """The values in a container, at most `WIDTH` and then a cut; None where it is not looked into."""
        walk = walk or _Walk()
        if identity(obj) in walk.above or len(walk.above) >= DEPTH or walk.left <= 0:
            return None
        walk.above.append(identity(obj))
        parts: list[Observed] = []
        for value in values:
            walk.left -= 1
            if len(parts) == WIDTH or walk.left < 0:
                parts.append(_CUT)
                break
            parts.append(self._look(value, walk))
        walk.above.pop()
        return parts

    def _kept(self, key: Any, make: Callable[[], Observed], inside: tuple[Observed, ...]) -> Observed:
        """The one observation of its kind; those `inside` are known by their identities."""
        key = (key, *map(identity, inside))
        known = self._others.get(key)
        if known is None:
            known = self._others[key] = make()
            if any(map(self.has_arrays, inside)):
                self._with_arrays.add(identity(known))
        return known


#: The flag of classes that a `class` statement makes (`Py_TPFLAGS_HEAPTYPE`).
_HEAP = 1 << 9


def names_of(cls: type) -> tuple[str, str]:
    """The module and the qualified name of a class; the module is empty where it is none."""
    module, name = (type.__getattribute__(cls, what) for what in ("__module__", "__qualname__"))
    return (module if isinstance(module, str) else ""), str(name)


def class_name(cls: type) -> str:
    """A class, by its module and its qualified name."""
    return ".".join(filter(None, names_of(cls)))


def mro(cls: type) -> tuple[type, ...]:
    """The classes that a class is made of, without asking it."""
    classes: tuple[type, ...] = type.__getattribute__(cls, "__mro__")
    return classes


def namespace(cls: type) -> Any:
    """What the body of a class has defined, without asking the class."""
    return type.__getattribute__(cls, "__dict__")


def _is_name(key: object) -> bool:
    return type(key) is str and len(key) <= LONGEST_NAME


def _is_jax_array(cls: type, bases: tuple[type, ...]) -> bool:
    """Whether objects of a class are arrays or tracers of JAX's own."""
    jax = sys.modules.get("jax")
    array, core = getattr(jax, "Array", None), getattr(jax, "core", None)
    kinds = [kind for kind in (array, getattr(core, "Tracer", None)) if kind is not None]
    of_jax = class_name(cls).startswith(("jax.", "jaxlib."))
    return of_jax and any(base is kind for base in bases for kind in kinds)


def _is_scalar_of_jax(cls: type) -> bool:
    """Whether objects of a class are `jax.numpy.float32` and the like, which stand for dtypes."""
    return class_name(cls).startswith("jax.") and names_of(cls)[1] == "_ScalarMeta"


def _named_tuple(bases: tuple[type, ...]) -> tuple[str, ...] | None:
    """The names of the fields of a named tuple."""
    names = _first(bases, "_fields")
    is_plain = type(names) is tuple and all(type(name) is str for name in names)
    return names if is_plain else None


def _has_fields(cls: type, bases: tuple[type, ...]) -> bool:
    """Whether objects of a class are looked into: dataclasses, those of attrs, and nodes of pytrees."""
    if any(_first(bases, mark) is not None for mark in ("__dataclass_fields__", "__attrs_attrs__")):
        return True
    registry = getattr(sys.modules.get("jax._src.tree_util"), "_registry", {})
    return any(cls is node for node in list(registry))


def _first(bases: tuple[type, ...], name: str) -> Any:
    """An attribute of a class, without asking the class."""
    return next((vars_[name] for base in bases if name in (vars_ := namespace(base))), None)


def _own(obj: object) -> Iterator[tuple[Any, Any]]:
    """The attributes in an object's own `__dict__` and in its slots."""
    bases = mro(type(obj))
    for base in reversed(bases):
        for name, slot in list(namespace(base).items()):
            if type(slot) is types.MemberDescriptorType and not _is_builtin(base):
                try:
                    yield name, slot.__get__(obj)
                except AttributeError:  # not set
                    continue
    if type(_first(bases, "__dict__")) is types.GetSetDescriptorType:
        try:
            yield from list(object.__getattribute__(obj, "__dict__").items())
        except (AttributeError, RuntimeError):
            return


def _is_builtin(cls: type) -> bool:
    """Whether a class was made in C: its members are its own affair."""
    flags: int = type.__getattribute__(cls, "__flags__")
    return not flags & _HEAP


def _dtype_name(dtype: Any) -> str:
    """A dtype as `numpy.dtype.name` has it; float0 and StringDType as this package calls them."""
    if type(dtype).__name__ == "StringDType":
        return "StringDType"
    return "float0" if getattr(dtype, "names", None) == ("float0",) else str(dtype.name)
