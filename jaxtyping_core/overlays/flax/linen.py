"""Modules of Flax linen: what they keep is in a scope beside them."""

from __future__ import annotations

import sys
import types
from typing import Any

from ...domain.arrays import AbstractArray
from ...engine.libraries.calls.shapes import with_ints
from ...engine.values import arrays
from ...engine.values.unknowns import UNKNOWN, OpenKey

LINEN = "flax.linen"
#: Attributes of modules that say where a module stands.
SURROUNDINGS = frozenset({"parent", "scope", "name", "_id", "_state", "_parent_ref"})
#: What layers keep their arrays in, by the name of the class, and those that have none.
COLLECTIONS = {"": ("params",), "BatchNorm": ("params", "batch_stats")}
WITHOUT_PARAMETERS = ("flax.linen.stochastic", "flax.linen.pooling")
#: The parameters of layers whose calls are unknown.
OTHERS = OpenKey("...")
#: Methods of modules that make a parameter or a variable.
DECLARING = frozenset({"param", "variable", "put_variable", "sow"})


def has(cls: type) -> bool:
    """Whether a class is one of linen's own."""
    return cls.__module__.startswith(LINEN)


def variables(f: Any, layer: Any) -> Any:
    """The variables of a layer within a module that is called, or of the module that declares one itself; None for others."""
    scope = vars(layer).get("scope") if has(type(layer)) or declares(f) else None
    return None if scope is None else dict(scope.variables())


def changes(layer: Any) -> bool:
    """Whether a call of a layer may make or change variables."""
    scope = vars(layer).get("scope")
    return scope is None or scope.mutable is not False


def declares(f: Any) -> bool:
    """Whether `f` is a method by which a module of the program declares a parameter or a variable."""
    return (
        isinstance(f, types.MethodType)
        and f.__name__ in DECLARING
        and str(f.__func__.__module__).startswith(LINEN)
    )


def declared(args: list[Any]) -> list[Any]:
    """The arguments of `param`: a name, a function, and what that gets after a key, a shape with ints where it is not known."""
    name_and_function, rest = args[:2], args[2:]
    if len(name_and_function) < 2:
        return args
    return [*name_and_function, *with_ints(args[1], [None, *rest], {})[0][1:]]


def leave_open(f: Any, layer: Any, args: list[Any]) -> None:
    """A layer that could not be called may have made parameters: make them unknown."""
    scope = vars(layer).get("scope") if hasattr(layer, "__dict__") else None
    if declares(f) and scope is not None:
        names = ["params", *args[:1]] if f.__name__ == "param" else args[:2]
        if (
            len(names) == 2
            and all(isinstance(name, str) for name in names)
            and scope.is_mutable_collection(names[0])
        ):
            scope.put_variable(*names, UNKNOWN)
        return
    if scope is None or scope.parent is None or type(layer).__module__ in WITHOUT_PARAMETERS:
        return
    for name in COLLECTIONS.get(type(layer).__name__, COLLECTIONS[""]):
        if scope.is_mutable_collection(name):
            scope.parent.put_variable(name, scope.name, UNKNOWN)


def leave_others() -> None:
    """Something unknown was called: it may have made layers within the module that is called."""
    linen = sys.modules.get(f"{LINEN}.module")
    module = None if linen is None else linen._context.module_stack[-1]
    scope = None if module is None else vars(module).get("scope")
    if scope is not None and scope.is_mutable_collection("params"):
        scope.put_variable("params", OTHERS, arrays.of_known(AbstractArray()))


def apart(layer: Any) -> list[Any]:
    """What a layer refers to and cannot change, where its parameters are not made but used."""
    fields = arrays.object_fields(layer) or {}
    scope = fields.get("scope")
    if scope is None or getattr(scope, "mutable", True) is not False:
        return []
    scope.variables()  # those of the parent that are its own
    around = [fields.get("parent"), scope.parent, scope.root]
    return [each for each in around if each is not scope]  # which names are taken
