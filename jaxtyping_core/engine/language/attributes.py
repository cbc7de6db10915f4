"""Attributes: public names of trusted objects, and whatever the program's own objects have."""

from __future__ import annotations

import collections
import types
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...domain.arrays import AbstractArray
from ...identity import identity
from ...sampling.objects import named_dtype
from ..libraries import absent, registry
from ..libraries.calls import real_code
from ..libraries.calls.methods import OF_BOTH, WAITING, mixed
from ..libraries.jax import lowering
from ..libraries.jax.at_updates import At, Update
from ..libraries.jax.transformations import KEEPING
from ..libraries.numpy import arrays as numpy_arrays
from ..libraries.python import paths, records
from ..libraries.trust import gate
from ..libraries.trust.special_names import OF_LIBRARIES, is_special, may_name
from ..libraries.trust.tables import CLOSED, DUNDERS
from ..scopes import Module
from ..values import arrays, heap
from ..values.callables import Method, Namespace
from ..values.dispatch import Array, ByKind
from ..values.paths import KnownPath
from ..values.python_numbers import CONVERTING
from ..values.records import Record, Reference
from ..values.unknowns import (
    PURE_EXTERNAL,
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    ConcretizationError,
    Instance,
    NumpyArray,
    Partial,
    PureExternal,
    Unknown,
    without_none,
)
from . import foreign
from .imports import name_in

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Attributes of an array that are the array with its dims in another order, and those that are a part of its numbers.
TURNED: dict[str, Callable[[tuple[Any, ...]], tuple[Any, ...]]] = {
    "T": lambda dims: dims[::-1],
    "mT": lambda dims: (*dims[:-2], *dims[:-3:-1]),
}
PARTS = ("real", "imag")


#: Special methods that programs ask for of their own objects alone.
OF_OWN = frozenset({"__enter__", "__exit__", "__getattr__", "__init_subclass__", "__setattr__"})


def attribute(interpreter: Interpreter, value: Any, name: str) -> Any:
    """An attribute of a value."""
    value = without_none(value)  # None has none that programs read
    return _ATTRIBUTES.find(value)(interpreter, value, name)


def _of_object(interpreter: Interpreter, value: Any, name: str) -> Any:
    if name.startswith("__") and name.endswith("__"):
        return dunder(interpreter, value, name)
    own = is_of_program(interpreter, value)
    lowered = lowering.method(interpreter, value, name)
    if lowered is not None:
        return lowered
    if (name in CLOSED and not _is_own(interpreter, value, name)) or (
        name.startswith("_") and not (own and _may_see_private(interpreter, value, name))
    ):
        return interpreter.opaque(f"the attribute {name}")
    if not own and foreign.changes(interpreter, value, name):
        return interpreter.opaque(f"the attribute {name} of {_told(value)}")
    if name == "format" and _is_text(value):
        return (
            interpreter.natives.format_of(value)
            if isinstance(value, str)
            else interpreter.opaque("str.format")
        )
    try:
        with real_code.reading(value, name):
            member = getattr(value, name)
    except ConcretizationError:
        return UNKNOWN
    except AttributeError as error:
        if own:  # another object may have it, for which something unknown calls this
            interpreter.unresolved.uses(name)
        return interpreter.failed(error)
    except Exception:  # code of objects may raise anything: then no more is known
        return UNKNOWN
    return _seen(interpreter, value, name, member, own)


_ATTRIBUTES: ByKind[Callable[[Interpreter, Any, str], Any]] = ByKind(_of_object)


@_ATTRIBUTES.of(Array)
def _of_array(interpreter: Interpreter, value: Any, name: str) -> Any:
    is_converted = name in CONVERTING and not interpreter.traces.has_no_number(value)
    return Method(value, name) if is_converted or name == WAITING else _of_object(interpreter, value, name)


@_ATTRIBUTES.of(Update)
def _of_update(interpreter: Interpreter, value: Update, name: str) -> Any:
    return Method(value, name)


@_ATTRIBUTES.of(Namespace)
def _of_namespace(interpreter: Interpreter, value: Namespace, name: str) -> Any:
    if value.told and name not in value.names:
        unknown = interpreter.opaque(f"{value.told}.{name}")
        return PURE_EXTERNAL if registry.is_onlooker(value.told.partition(".")[0]) else unknown
    return value.names.get(name, value.others)


_ATTRIBUTES.of(Record)(records.attribute)
_ATTRIBUTES.of(KnownPath)(paths.attribute)


@_ATTRIBUTES.of(Module)
def _of_own_module(interpreter: Interpreter, value: Module, name: str) -> Any:

    return name_in(interpreter, value, f"{value.name}.{name}", name)


@_ATTRIBUTES.of(types.ModuleType)
def _of_module(interpreter: Interpreter, value: types.ModuleType, name: str) -> Any:
    """A name of a module of a library."""
    special = interpreter.natives.modules.get((value.__name__, name))
    if special is not None:
        return special
    if not interpreter.libraries.is_open(value):
        return UNKNOWN
    try:
        member = interpreter.libraries.name(value, name)
    except AttributeError as error:
        return absent.of_module(interpreter, value, name, error)
    if member is UNKNOWN and value.__name__.partition(".")[0] in interpreter.libraries.roots:
        return interpreter.opaque(f"{value.__name__}.{name}")
    return foreign.handed_out(interpreter, value, name, member, False)


def _seen(interpreter: Interpreter, value: Any, name: str, member: Any, own: bool) -> Any:
    """An attribute, if the program is to see it."""
    if isinstance(member, types.ModuleType):
        return UNKNOWN
    if gate.is_inside(member) or identity(member) in interpreter.libraries.denied():
        return interpreter.opaque(f"the attribute {name}")
    member = foreign.handed_out(interpreter, value, name, member, own)
    return interpreter.unresolved.member(member) if own else member


def _may_see_private(interpreter: Interpreter, value: Any, name: str) -> bool:
    """Whether a name of one underscore is one that the program has made, or is meant to use."""
    return (
        name in OF_LIBRARIES
        or _defined_by_program(interpreter, value, name)
        or name in (arrays.object_fields(_held_by(value)) or {})
    )


def _held_by(value: Any) -> Any:
    """The object that ``super()`` looks at."""
    return getattr(value, "__self__", None) if isinstance(value, super) else value


def _is_text(value: Any) -> bool:
    held = _held_by(value)
    return isinstance(held, (str, bytes)) or (isinstance(held, type) and issubclass(held, (str, bytes)))


def _told(value: Any) -> str:
    return str(getattr(value, "__name__", None) or type(value).__name__)


def _is_own(interpreter: Interpreter, value: Any, name: str) -> bool:
    """Whether the program itself has put this name there: in an object or a class of its own, or in options."""
    if isinstance(value, types.SimpleNamespace) or (isinstance(value, str) and name == "lower"):
        return True
    if not is_of_program(interpreter, value) or isinstance(value, super):
        return False
    return name in (arrays.object_fields(value) or {}) or _defined_by_program(interpreter, value, name)


def is_of_program(interpreter: Interpreter, value: Any) -> bool:
    """Whether a value is a class of the program, or an object of one."""
    cls = value if isinstance(value, type) else type(value)
    if any(base in interpreter.classes for base in getattr(cls, "__mro__", ())):
        return True
    return isinstance(value, super)


def dunder(interpreter: Interpreter, value: Any, name: str) -> Any:
    """An attribute of two underscores: one that leads nowhere, or that the program itself has defined."""
    if name == "__class__":
        return type(value)
    if name == "__dict__":
        own = type(value) in interpreter.classes or type(value) is types.SimpleNamespace
        fields = arrays.object_fields(value) if own else None
        return interpreter.opaque(f"the attribute {name}") if fields is None else heap.is_same(value, fields)
    if value is object and name == "__setattr__":
        return interpreter.natives.set_plainly
    own = is_of_program(interpreter, value)
    if not own and foreign.changes(interpreter, value, name):
        return interpreter.opaque(f"the attribute {name} of {_told(value)}")
    if name not in DUNDERS and not (own and _defined_by_program(interpreter, value, name)):
        return interpreter.opaque(f"the attribute {name}")
    if name in OF_OWN and not own:
        return interpreter.opaque(f"the attribute {name}")
    try:
        with real_code.reading(value, name):
            member = getattr(value, name)
    except AttributeError as error:
        return interpreter.failed(error)
    except Exception:  # code of objects may raise anything: then no more is known
        return UNKNOWN
    if isinstance(member, dict):
        return dict(member)  # of a class: what is read of it does not change it
    return _seen(interpreter, value, name, member, own)


def _defined_by_program(interpreter: Interpreter, value: Any, name: str) -> bool:
    held = _held_by(value)
    cls = held if isinstance(held, type) else type(held)
    return any(name in vars(base) for base in cls.__mro__ if base in interpreter.classes)


@_ATTRIBUTES.of(Unknown)
def _of_unknown(interpreter: Interpreter, value: Unknown, name: str) -> Any:
    """An attribute of what is not wholly known."""
    if value is UNKNOWN:
        interpreter.unresolved.uses(name)
    return UNKNOWN if name.startswith("__") else _PUBLIC.find(value)(interpreter, value, name)


def _of_other_unknown(interpreter: Interpreter, value: Unknown, name: str) -> Any:
    # Whatever has this method is an array, or converts to one.
    return Method(value, name) if name == "astype" and value is UNKNOWN else UNKNOWN


#: Attributes of abstract values, but for special ones.
_PUBLIC: ByKind[Callable[[Interpreter, Any, str], Any]] = ByKind(_of_other_unknown)


@_PUBLIC.of(PureExternal)
def _of_onlooker(interpreter: Interpreter, value: PureExternal, name: str) -> Any:
    return Method(value, name) if name == "astype" else UNKNOWN


_PUBLIC.of(Reference)(records.of_reference)


@_PUBLIC.of(NumpyArray)
def _of_numpy_array(interpreter: Interpreter, value: NumpyArray, name: str) -> Any:

    return numpy_arrays.attribute(interpreter, value, name)


@_PUBLIC.of(AbstractSequence)
def _of_many(interpreter: Interpreter, value: AbstractSequence, name: str) -> Any:
    is_method = value.kind in (list, set, dict, collections.deque) and name != "maxlen"
    return Method(value, name) if is_method else UNKNOWN


@_PUBLIC.of(AbstractScalar)
def _of_number(interpreter: Interpreter, value: AbstractScalar, name: str) -> Any:
    return Method(value, name) if value.kind is str else UNKNOWN


@_PUBLIC.of(Instance)
def _of_instance(interpreter: Interpreter, value: Instance, name: str) -> Any:
    """An attribute of an object of which the class is known; unknown where a class below it has another one."""
    if name in value.fields:
        return value.fields[name]
    method = method_of(interpreter, value, name)
    if method is not None:
        return method
    if _is_overridden(interpreter, value.cls, name):
        return UNKNOWN
    member = getattr(value.cls, name, UNKNOWN)
    if isinstance(member, property) and identity(member.fget) in interpreter.functions:
        return interpreter.call(member.fget, [value], {})
    return types.MethodType(member, value) if type(member) is types.FunctionType else UNKNOWN


def method_of(interpreter: Interpreter, value: Instance, name: str) -> Any:
    """A method of an object of which the class is known, as the program declares it; None if another class may have its own."""
    if _is_overridden(interpreter, value.cls, name):
        return None
    member = own_member(interpreter, value.cls, name)
    made = interpreter.made.get(identity(member))
    is_method = identity(member) in interpreter.functions or (made is not None and made.kind in KEEPING)
    return types.MethodType(member, value) if is_method else None


def _is_overridden(interpreter: Interpreter, cls: type, name: str) -> bool:
    below = [each for each in interpreter.classes if issubclass(each, cls) and each is not cls]
    return any(name in vars(each) for each in below)


def own_member(interpreter: Interpreter, cls: type, name: str) -> Any:
    """What the classes of the program that a class is made of have under a name, without what the library of a base makes of it."""
    for base in cls.__mro__:
        scope = interpreter.scopes.get(base)
        if name in (vars(base) if scope is None else scope.variables):
            return None if scope is None else scope.variables[name]
    return None


@_PUBLIC.of(ArrayLike)
def _of_mixed(interpreter: Interpreter, value: ArrayLike, name: str) -> Any:
    if name in ("shape", "ndim", "size"):
        return attribute(interpreter, value.array, name)
    if name in ("T", "mT"):
        return mixed(attribute(interpreter, value.array, name))
    return Method(value, name) if name in OF_BOTH else UNKNOWN


@_PUBLIC.of(Partial)
def _of_partial(interpreter: Interpreter, value: Partial, name: str) -> Any:
    if name == "at":
        return At(value)
    if name == "dtype":
        return UNKNOWN if value.dtype_name is None else named_dtype(value.dtype_name)
    if name in ("ndim", "shape", "size", "nbytes", "itemsize"):
        if name == "ndim":
            return AbstractScalar(int) if value.dims is None else len(value.dims)
        if name == "shape":
            if value.dims is None:
                return AbstractSequence(AbstractScalar(int), kind=tuple)
            return tuple(arrays.unknown_size() if dim is None else dim for dim in value.dims)
        return AbstractScalar(int)
    if name in TURNED:
        dims = None if value.dims is None else TURNED[name](value.dims)
        return arrays.of_known(replace(value.known, shape=dims))
    if name in PARTS:
        return arrays.of_known(AbstractArray(None, value.weak, value.dims))
    return Method(value, name)


def may_set(interpreter: Interpreter, holder: Any, name: str) -> bool:
    """Whether the program may assign to an attribute: of objects of its classes, and of some libraries'."""
    if is_special(name) and name not in ("__name__", "__doc__"):
        return False
    if not may_name(name) or isinstance(holder, types.ModuleType):
        return False
    if isinstance(holder, Record):
        return True
    if isinstance(holder, type):
        return holder in interpreter.classes
    if identity(holder) in interpreter.functions:
        return True
    if is_of_program(interpreter, holder):
        return True
    overlay = registry.of(holder)
    may_be = type(holder).__module__ == "types" if overlay is None else overlay.is_assignable
    return may_be and not foreign.is_foreign(interpreter, holder)
