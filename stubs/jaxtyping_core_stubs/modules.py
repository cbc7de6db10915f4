"""The public modules: every public name of ``jax.numpy`` and its neighbours."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from inspect import Parameter
from types import ModuleType
from typing import Any

import jax
import numpy as np

from . import functions, scalars

#: The modules that are written, with their files below the package.
MODULES: dict[str, str] = {
    "jax.numpy": "numpy/__init__.pyi",
    "jax.numpy.fft": "numpy/fft.pyi",
    "jax.numpy.linalg": "numpy/linalg.pyi",
    "jax.nn": "nn/__init__.pyi",
    "jax.nn.initializers": "nn/initializers.pyi",
}

HEAD = """
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from os import PathLike
from typing import IO, Any, Literal, Self, overload

import numpy as _np

from jax._src.basearray import Array, ArrayLike, Axis, StaticScalar
from jax._src.typing import DType, DTypeLike, DimSize, DuckTypedArray, Shape
from jax._src.typing import SupportsNdim, SupportsShape, SupportsSize
from jax._src.numpy.scalar_types import bool_ as _bool_
from jax.sharding import NamedSharding, PartitionSpec
"""

#: Classes whose constructors carry no annotations: subclasses give them some, or strict checkers refuse the call.
UNTYPED: dict[str, str] = {
    "finfo": "def __new__(cls, dtype: Any) -> Self: ...",
    "iinfo": "def __init__(self, int_type: Any) -> None: ...",
}

UFUNC_METHODS = ("reduce", "accumulate", "at", "reduceat", "outer")
UFUNC_PROPERTIES = {"nin": "int", "nout": "int", "nargs": "int", "identity": "_bool | int | float"}


def render(name: str) -> str:
    """The text of the stub for the module `name`."""
    module, renderer = importlib.import_module(name), functions.Renderer(name)
    lines = [line for public in public_names(module) for line in _define(renderer, module, public)]
    named = {cls: source for cls, source in sorted(renderer.imports.items()) if not hasattr(module, cls)}
    imports = [f"from {source} import {cls}" for cls, source in named.items()]
    return "\n".join([HEAD + "\n".join(imports), "", *lines, ""])


def public_names(module: ModuleType) -> list[str]:
    """The names that users of `module` see."""
    return [name for name in dir(module) if not name.startswith("_")]


def _define(renderer: functions.Renderer, module: ModuleType, name: str) -> Iterator[str]:
    value = getattr(module, name)
    if (source := imported_from(name, value)) is not None:
        yield from _import(*source, name)
    elif isinstance(value, jax.numpy.ufunc):
        yield from _ufunc_class(name, value)
    elif value is jax.numpy.ufunc:
        yield from _ufunc_base()
    elif callable(value):
        yield from renderer.function(name, value)
    elif isinstance(value, float | None):
        yield f"{name}: {type(value).__name__ if value is not None else None}"
    else:
        cls = type(value)
        yield f"from {cls.__module__} import {cls.__name__} as _{name}_class"
        yield f"{name}: _{name}_class"


def _import(module: str, name: str, public: str) -> Iterator[str]:
    """Import `name` and export it as `public`: an import exports only a name that stays the same."""
    if public in UNTYPED:
        yield f"from {module} import {name} as _{public}_source"
        yield f"class {public}(_{public}_source):"
        yield f"    {UNTYPED[public]}"
    elif name == public:
        yield f"from {module} import {name} as {name}"
    else:
        yield f"from {module} import {name} as _{public}_source"
        yield f"{public} = _{public}_source"


def imported_from(name: str, value: Any) -> tuple[str, str] | None:
    """The module and the name that a public name is imported from, where the stub does not define it."""
    if isinstance(value, ModuleType):
        package, _, last = value.__name__.rpartition(".")
        return package, last
    if value is jax.Array:
        return "jax._src.basearray", "Array"
    if name in scalars.class_names() or isinstance(value, type(jax.numpy.float32)):
        return "jax._src.numpy.scalar_types", "bool_" if name == "bool" else name
    if getattr(np, name, None) is value and not isinstance(value, float | None):
        return "numpy", name
    if isinstance(value, type) and value is not jax.numpy.ufunc:
        return _class_source(value)
    return None


def _class_source(cls: type) -> tuple[str, str]:
    """Where type checkers find a class: the module that defines it, not the one that it claims to be from."""
    own = next((value for value in vars(cls).values() if inspect.isfunction(value)), None)
    return (own.__globals__["__name__"] if own else cls.__module__), cls.__name__


def _ufunc_base() -> Iterator[str]:
    yield "class ufunc:"
    for name, result in UFUNC_PROPERTIES.items():
        yield "    @property"
        yield f"    def {name}(self) -> {result}: ..."
    yield from _method("__init__", jax.numpy.ufunc.__init__, "None")
    yield from _method("__call__", jax.numpy.ufunc.__call__, "Any")
    for name in UFUNC_METHODS:
        yield from _method(name, getattr(jax.numpy.ufunc, name), "Array")


def _method(name: str, method: Any, result: str) -> Iterator[str]:
    given = list(inspect.signature(inspect.unwrap(method)).parameters.values())[1:]
    yield f"    def {name}({functions.parameters(given, 'self')}) -> {result}: ..."


def _ufunc_class(name: str, value: Any) -> Iterator[str]:
    """A class of its own for each ufunc, so that its name tells which one is called."""
    keywords = list(inspect.signature(value).parameters.values())[1:]
    operands = [
        Parameter(letter, Parameter.POSITIONAL_ONLY, annotation="ArrayLike") for letter in "xyz"[: value.nin]
    ]
    result = "Array[_bool_, Any]" if name.startswith("logical_") else "Array"
    yield f"class _ufunc_{name}(ufunc):"
    yield f"    def __call__({functions.parameters([*operands, *keywords], 'self')}) -> {result}: ..."
    yield f"{name}: _ufunc_{name}"
