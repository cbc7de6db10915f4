"""The public modules on arrays: every public name of ``jax.numpy``, ``jax.lax`` and their neighbours."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from inspect import Parameter
from types import ModuleType
from typing import Any, NewType

import jax
import numpy as np

from . import exports, functions, hints, initializers, scalars, shown, signatures, sources, switches
from .reflect import import_lines
from .rules import sized
from .spelling import Home, standard_home
from .surface import offered, public_names, surface

HEAD = """
from builtins import bool as _bool, complex as _complex, slice as _slice
from collections.abc import Callable, Sequence
from os import PathLike
from typing import IO, Any, Literal, Self, TypeAlias, overload

import numpy as _np

from jax._operands import ArrayLike
from jax._arrays import Array
from jax._src.basearray import Axis, StaticScalar
from jax._src.typing import DType, DTypeLike, DimSize, DuckTypedArray, Shape
from jax._src.typing import SupportsNdim, SupportsShape, SupportsSize
from jax._src.numpy.scalar_types import bool_ as _bool_
from jax._src.named_sharding import NamedSharding
from jax._src.partition_spec import PartitionSpec
"""

UFUNC_METHODS = ("reduce", "accumulate", "at", "reduceat", "outer")
UFUNC_PROPERTIES = {"nin": "int", "nout": "int", "nargs": "int", "identity": "_bool | int | float"}


def render(name: str) -> str:
    """The text of the stub for the module `name`."""
    module, renderer = importlib.import_module(name), functions.Renderer(name)
    lines = [line for public in stub_names(module) for line in _define(renderer, module, public)]
    lines += renderer.definitions()
    if name == initializers.MODULE:
        lines = [initializers.IMPORT, *lines]
    lines = [*sized.definitions(name), *lines]
    named = {cls: source for cls, source in sorted(renderer.imports.items()) if not hasattr(module, cls)}
    imports = [f"from {_home(source, cls)} import {cls}" for cls, source in named.items()]
    if module is jax.numpy:
        lines, others = _without_public_scalars(lines)
        imports += others
    return "\n".join([HEAD + "\n".join(imports), "", *lines, ""])


def _without_public_scalars(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines with the classes of dtypes by names of their own, and the imports of these.

    To pyright the public ones are no classes (`shown`), and mean nothing in an annotation.
    """
    names = re.compile(rf"(?<![\w.'\"])(?:{'|'.join(scalars.of_dtypes())})\b")
    changed = [line if line.startswith("from ") else names.sub(r"_\g<0>", line) for line in lines]
    used = sorted({name for line in lines if not line.startswith("from ") for name in names.findall(line)})
    return changed, [
        f"from {scalars.MODULE} import {name} as _{name}" for name in used if f" as _{name}\n" not in HEAD
    ]


def _home(module: str, name: str) -> str:
    """The module that defines the class which `module` calls `name`."""
    home = surface().home(getattr(sys.modules.get(module), name, None))
    return home[0] if home is not None else module


def stub_names(module: ModuleType) -> list[str]:
    """The public names of `module`, and those that only type checkers see."""
    declared = (name for name in sources.read(module.__name__).declared if not name.startswith("_"))
    return sorted({*filter(lambda name: _is_shown(module, name), public_names(module)), *declared})


def _is_shown(module: ModuleType, name: str) -> bool:
    """Whether a name is more than a module that another import has made an attribute."""
    value = getattr(module, name)
    if not isinstance(value, ModuleType):
        return True
    return surface().has(value.__name__) and (
        value.__name__ in offered() or name in sources.read(module.__name__).bindings
    )


def _define(renderer: functions.Renderer, module: ModuleType, name: str) -> Iterator[str]:
    value = _value(module, name)
    transformation = exports.name_of(f"{module.__name__}.{name}", value)
    if transformation is not None:
        yield from import_lines(exports.MODULE, transformation, name)
    elif (source := imported_from(name, value)) is not None:
        yield from import_lines(*source, name)
    elif isinstance(value, jax.numpy.ufunc):
        yield from _ufunc_class(renderer, name, value)
    elif value is jax.numpy.ufunc:
        yield from _ufunc_base()
    elif isinstance(value, NewType):
        yield f"{name} = {hints.text(hints.members(value.__supertype__))}"
    elif callable(value):
        yield from renderer.function(name, value)
    elif isinstance(value, float | None):
        yield f"{name}: {type(value).__name__ if value is not None else None}"
    elif (home := surface().home(type(value))) is not None:
        yield f"from {home[0]} import {home[1]} as _{name}_class"
        yield f"{name}: _{name}_class"
    else:
        yield f"{name}: {hints.ANY}"


def _value(module: ModuleType, name: str) -> Any:
    """The value of a name, also of one that only type checkers see."""
    source = sources.read(module.__name__)
    last = source.last(name)
    if hasattr(module, name) and name not in source.declared:
        return getattr(module, name)
    return source.resolve(last.value) if isinstance(last, ast.Assign) else getattr(module, name)


def imported_from(name: str, value: Any) -> Home | None:
    """The module and the name that a public name is imported from, where the stub does not define it."""
    if isinstance(value, ModuleType):
        package, _, last = value.__name__.rpartition(".")
        return package, last
    if name in scalars.of_dtypes():
        return shown.SCALARS, name
    if name in scalars.class_names():
        return scalars.MODULE, name
    if getattr(np, name, None) is value and not isinstance(value, float | None):
        return "numpy", name
    if value is jax.numpy.ufunc or value is None:
        return None
    home = surface().home(value)
    if home is None and isinstance(value, type):
        return standard_home(value) or (value.__module__, value.__name__)
    return home


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
    parameters = list(inspect.signature(inspect.unwrap(method)).parameters.values())[1:]
    yield f"    def {name}({', '.join(['self', _parameters(parameters)])}) -> {result}: ..."


def _ufunc_class(renderer: functions.Renderer, name: str, value: Any) -> Iterator[str]:
    """A class of its own for each ufunc, so that its name tells which one is called."""
    keywords = list(inspect.signature(value).parameters.values())[1:]
    operands = [
        Parameter(letter, Parameter.POSITIONAL_ONLY, annotation="ArrayLike") for letter in "xyz"[: value.nin]
    ]
    result = "Array[_bool_, Any]" if name.startswith("logical_") else "Array"
    plain = f"def __call__(self, {_parameters([*operands, *keywords])}) -> {result}: ..."
    yield from renderer.switch()
    yield f"class _ufunc_{name}(ufunc):"
    yield from switches.indented(renderer.call(name, value, plain))
    yield f"class _named_{name}:"  # for the name of the alias, which is no attribute of the module so (`shown`)
    yield f"    ufunc_{name}: TypeAlias = _ufunc_{name}"
    yield f"{name}: _named_{name}.ufunc_{name}"


def _parameters(parameters: list[Parameter]) -> str:
    return signatures.parameters(parameters, _annotation)


def _annotation(parameter: Parameter) -> str:
    members = hints.members(parameter.annotation)
    return hints.text(hints.join(members, ("None",)) if parameter.default is None else members)
