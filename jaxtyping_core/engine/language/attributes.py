"""Attributes: public names of trusted objects, and whatever the program's own objects have."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...domain.arrays import AbstractArray
from ...identity import identity
from ...sampling.objects import named_dtype
from ..libraries import absent, gate, numpy_arrays, real_code, registry
from ..libraries.at_updates import At, Update
from ..libraries.methods import OF_BOTH, WAITING, mixed
from ..libraries.special_names import OF_LIBRARIES, is_special, may_name
from ..libraries.tables import CLOSED, DUNDERS
from ..libraries.transformed import KEEPING
from ..scopes import Module
from ..values import arrays, heap
from ..values.callables import Method, Namespace
from ..values.dispatch import Array, ByKind
from ..values.unknowns import (
    UNKNOWN,
    Instance,
    Many,
    Mixed,
    NeedsValue,
    Number,
    NumpyArray,
    Onlooker,
    Partial,
    Unknown,
)
from . import foreign
from .imports import name_in

if TYPE_CHECKING:
    from ..interpreter import Machine

#: Attributes of an array that are the array with its dims in another order, and those that are a part of its numbers.
TURNED: dict[str, Callable[[tuple[Any, ...]], tuple[Any, ...]]] = {
    "T": lambda dims: dims[::-1],
    "mT": lambda dims: (*dims[:-2], *dims[:-3:-1]),
}
PARTS = ("real", "imag")


#: Special methods that programs ask for of their own objects alone.
OF_OWN = frozenset({"__enter__", "__exit__", "__getattr__", "__init_subclass__", "__setattr__"})


def attribute(machine: Machine, value: Any, name: str) -> Any:
    """An attribute of a value."""
    return _ATTRIBUTES.find(value)(machine, value, name)


def _of_object(machine: Machine, value: Any, name: str) -> Any:
    if name.startswith("__") and name.endswith("__"):
        return dunder(machine, value, name)
    own = is_of_program(machine, value)
    if (name in CLOSED and not _is_own(machine, value, name)) or (
        name.startswith("_") and not (own and _may_see_private(machine, value, name))
    ):
        return machine.left_out(f"the attribute {name}")
    if not own and foreign.changes(machine, value, name):
        return machine.left_out(f"the attribute {name} of {_told(value)}")
    if name == "format" and _is_text(value):
        return machine.natives.format_of(value) if isinstance(value, str) else machine.left_out("str.format")
    try:
        with real_code.reading(value, name):
            member = getattr(value, name)
    except NeedsValue:
        return UNKNOWN
    except AttributeError as error:
        return machine.failed(error)
    except Exception:  # code of objects may raise anything: then no more is known
        return UNKNOWN
    return _seen(machine, value, name, member, own)


_ATTRIBUTES: ByKind[Callable[[Machine, Any, str], Any]] = ByKind(_of_object)


@_ATTRIBUTES.of(Array)
def _of_array(machine: Machine, value: Any, name: str) -> Any:
    return Method(value, name) if name == WAITING else _of_object(machine, value, name)


@_ATTRIBUTES.of(Update)
def _of_update(machine: Machine, value: Update, name: str) -> Any:
    return Method(value, name)


@_ATTRIBUTES.of(Namespace)
def _of_namespace(machine: Machine, value: Namespace, name: str) -> Any:
    if value.told and name not in value.names:
        return machine.left_out(f"{value.told}.{name}")
    return value.names.get(name, UNKNOWN)


@_ATTRIBUTES.of(Module)
def _of_own_module(machine: Machine, value: Module, name: str) -> Any:

    return name_in(machine, value, f"{value.name}.{name}", name)


@_ATTRIBUTES.of(types.ModuleType)
def _of_module(machine: Machine, value: types.ModuleType, name: str) -> Any:
    """A name of a module of a library."""
    special = machine.natives.modules.get((value.__name__, name))
    if special is not None:
        return special
    if not machine.libraries.is_open(value):
        return UNKNOWN
    try:
        member = machine.libraries.name(value, name)
    except AttributeError as error:
        return absent.of_module(machine, value, name, error)
    if member is UNKNOWN and value.__name__.partition(".")[0] in machine.libraries.roots:
        return machine.left_out(f"{value.__name__}.{name}")
    return foreign.handed_out(machine, value, name, member, False)


def _seen(machine: Machine, value: Any, name: str, member: Any, own: bool) -> Any:
    """An attribute, if the program is to see it."""
    if isinstance(member, types.ModuleType):
        return UNKNOWN
    if gate.is_inside(member) or identity(member) in machine.libraries.denied():
        return machine.left_out(f"the attribute {name}")
    return foreign.handed_out(machine, value, name, member, own)


def _may_see_private(machine: Machine, value: Any, name: str) -> bool:
    """Whether a name of one underscore is one that the program has made, or is meant to use."""
    return (
        name in OF_LIBRARIES
        or _defined_by_program(machine, value, name)
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


def _is_own(machine: Machine, value: Any, name: str) -> bool:
    """Whether the program itself has put this name there: in an object or a class of its own, or in options."""
    if isinstance(value, types.SimpleNamespace) or (isinstance(value, str) and name == "lower"):
        return True
    if not is_of_program(machine, value) or isinstance(value, super):
        return False
    return name in (arrays.object_fields(value) or {}) or _defined_by_program(machine, value, name)


def is_of_program(machine: Machine, value: Any) -> bool:
    """Whether a value is a class of the program, or an object of one."""
    cls = value if isinstance(value, type) else type(value)
    if any(base in machine.classes for base in getattr(cls, "__mro__", ())):
        return True
    return isinstance(value, super)


def dunder(machine: Machine, value: Any, name: str) -> Any:
    """An attribute of two underscores: one that leads nowhere, or that the program itself has defined."""
    if name == "__class__":
        return type(value)
    if name == "__dict__":
        own = type(value) in machine.classes
        fields = arrays.object_fields(value) if own else None
        return machine.left_out(f"the attribute {name}") if fields is None else heap.is_same(value, fields)
    own = is_of_program(machine, value)
    if not own and foreign.changes(machine, value, name):
        return machine.left_out(f"the attribute {name} of {_told(value)}")
    if name not in DUNDERS and not (own and _defined_by_program(machine, value, name)):
        return machine.left_out(f"the attribute {name}")
    if name in OF_OWN and not own:
        return machine.left_out(f"the attribute {name}")
    try:
        with real_code.reading(value, name):
            member = getattr(value, name)
    except AttributeError as error:
        return machine.failed(error)
    except Exception:  # code of objects may raise anything: then no more is known
        return UNKNOWN
    if isinstance(member, dict):
        return dict(member)  # of a class: what is read of it does not change it
    return _seen(machine, value, name, member, own)


def _defined_by_program(machine: Machine, value: Any, name: str) -> bool:
    held = _held_by(value)
    cls = held if isinstance(held, type) else type(held)
    return any(name in vars(base) for base in cls.__mro__ if base in machine.classes)


@_ATTRIBUTES.of(Unknown)
def _of_unknown(machine: Machine, value: Unknown, name: str) -> Any:
    """An attribute of what is not wholly known."""
    if value is UNKNOWN:
        machine.unresolved.uses(name)
    return UNKNOWN if name.startswith("__") else _PUBLIC.find(value)(machine, value, name)


def _of_other_unknown(machine: Machine, value: Unknown, name: str) -> Any:
    # Whatever has this method is an array, or converts to one.
    return Method(value, name) if name == "astype" and value is UNKNOWN else UNKNOWN


#: Attributes of abstract values, but for special ones.
_PUBLIC: ByKind[Callable[[Machine, Any, str], Any]] = ByKind(_of_other_unknown)


@_PUBLIC.of(Onlooker)
def _of_onlooker(machine: Machine, value: Onlooker, name: str) -> Any:
    return Method(value, name) if name == "astype" else UNKNOWN


@_PUBLIC.of(NumpyArray)
def _of_numpy_array(machine: Machine, value: NumpyArray, name: str) -> Any:

    return numpy_arrays.attribute(machine, value, name)


@_PUBLIC.of(Many)
def _of_many(machine: Machine, value: Many, name: str) -> Any:
    return Method(value, name) if value.kind in (list, set, dict) else UNKNOWN


@_PUBLIC.of(Number)
def _of_number(machine: Machine, value: Number, name: str) -> Any:
    return Method(value, name) if value.kind is str else UNKNOWN


@_PUBLIC.of(Instance)
def _of_instance(machine: Machine, value: Instance, name: str) -> Any:
    """An attribute of an object of which the class is known; unknown where a class below it has another one."""
    if name in value.fields:
        return value.fields[name]
    method = method_of(machine, value, name)
    if method is not None:
        return method
    if _is_overridden(machine, value.cls, name):
        return UNKNOWN
    member = getattr(value.cls, name, UNKNOWN)
    if isinstance(member, property) and identity(member.fget) in machine.functions:
        return machine.call(member.fget, [value], {})
    return types.MethodType(member, value) if type(member) is types.FunctionType else UNKNOWN


def method_of(machine: Machine, value: Instance, name: str) -> Any:
    """A method of an object of which the class is known, as the program declares it; None if another class may have its own."""
    if _is_overridden(machine, value.cls, name):
        return None
    member = own_member(machine, value.cls, name)
    made = machine.made.get(identity(member))
    is_method = identity(member) in machine.functions or (made is not None and made.kind in KEEPING)
    return types.MethodType(member, value) if is_method else None


def _is_overridden(machine: Machine, cls: type, name: str) -> bool:
    below = [each for each in machine.classes if issubclass(each, cls) and each is not cls]
    return any(name in vars(each) for each in below)


def own_member(machine: Machine, cls: type, name: str) -> Any:
    """What the classes of the program that a class is made of have under a name, without what the library of a base makes of it."""
    for base in cls.__mro__:
        scope = machine.scopes.get(base)
        if name in (vars(base) if scope is None else scope.variables):
            return None if scope is None else scope.variables[name]
    return None


@_PUBLIC.of(Mixed)
def _of_mixed(machine: Machine, value: Mixed, name: str) -> Any:
    if name in ("shape", "ndim", "size"):
        return attribute(machine, value.array, name)
    if name in ("T", "mT"):
        return mixed(attribute(machine, value.array, name))
    return Method(value, name) if name in OF_BOTH else UNKNOWN


@_PUBLIC.of(Partial)
def _of_partial(machine: Machine, value: Partial, name: str) -> Any:
    if name == "at":
        return At(value)
    if name == "dtype":
        return UNKNOWN if value.dtype_name is None else named_dtype(value.dtype_name)
    if name in ("ndim", "shape", "size", "nbytes", "itemsize"):
        if name == "ndim":
            return Number(int) if value.dims is None else len(value.dims)
        if name == "shape":
            if value.dims is None:
                return Many(Number(int), kind=tuple)
            return tuple(arrays.unknown_size() if dim is None else dim for dim in value.dims)
        return Number(int)
    if name in TURNED:
        dims = None if value.dims is None else TURNED[name](value.dims)
        return arrays.of_known(replace(value.known, shape=dims))
    if name in PARTS:
        return arrays.of_known(AbstractArray(None, value.weak, value.dims))
    return Method(value, name)


def may_set(machine: Machine, holder: Any, name: str) -> bool:
    """Whether the program may assign to an attribute: of objects of its classes, and of some libraries'."""
    if is_special(name) and name not in ("__name__", "__doc__"):
        return False
    if not may_name(name) or isinstance(holder, types.ModuleType):
        return False
    if isinstance(holder, type):
        return holder in machine.classes
    if identity(holder) in machine.functions:
        return True
    if is_of_program(machine, holder):
        return True
    overlay = registry.of(holder)
    may_be = type(holder).__module__ == "types" if overlay is None else overlay.is_assignable
    return may_be and not foreign.is_foreign(machine, holder)
