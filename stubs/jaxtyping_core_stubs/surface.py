"""What is written: the public modules of JAX, and the modules that define their classes.

A class is one class, wherever it is imported from: its stub is that of the module that defines it, and every
other module imports it from there. So the modules below ``jax._src`` that define a public class, or are
imported from by a public module that is not about arrays, have a stub too, with all of their names.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import jax
import ml_dtypes
from jax._src import basearray
from jax._src.numpy import scalar_types

from . import scalars, shown, sources, spelling
from .sources import UnknownError
from .spelling import COMPILED, Home

#: Modules of functions on arrays. Their functions are defined where they are public.
ARRAYS = ("jax.image", "jax.lax", "jax.nn", "jax.numpy", "jax.ops", "jax.random", "jax.scipy")

#: What begins like this stays as JAX has it: `import jax` does not offer it.
LEFT = (
    *("jax._src", "jax.collect_profile", "jax.example_libraries", "jax.experimental.", "jax.extend"),
    *("jax.test_util", "jax.tools"),
)

#: Modules whose stubs have a generator of their own.
SPECIAL = ("jax._src.basearray", "jax._src.numpy.scalar_types")


#: Classes of another library, the sources of which are long to read.
BORROWED = (ml_dtypes.finfo, ml_dtypes.iinfo)


@dataclass(frozen=True)
class Surface:
    """The modules that are written, and where their types are found."""

    arrays: frozenset[str]
    reflected: frozenset[str]
    compiled: dict[str, type]
    aliases: dict[int, Home]

    def has(self, module: str) -> bool:
        """Whether the module has a stub."""
        return module in self.arrays or module in self.reflected or module in SPECIAL

    def home(self, value: Any) -> Home | None:
        """Where type checkers find a class, a special form or an alias; None if they do not."""
        if id(value) in self.aliases:
            return self.aliases[id(value)]
        if isinstance(value, type) and value in BORROWED:
            return COMPILED, value.__name__
        if isinstance(value, type(jax.numpy.float32)):
            name = value.__name__
            return ("jax._src.numpy.scalar_types", "bool_" if name == "bool" else name)
        if not isinstance(value, type) or value.__module__.partition(".")[0] not in ("jax", "jaxlib"):
            return spelling.standard_home(value)
        home = class_home(value)
        if home is not None:
            return home if home[0] in self.reflected else None
        return (COMPILED, value.__name__) if self.compiled.get(value.__name__) is value else None


@functools.cache
def surface() -> Surface:
    """The surface of the installed JAX."""
    public = [name for name in walk() if not name.startswith(LEFT)]
    arrays = frozenset(name for name in public if name.startswith(ARRAYS))
    reflected = _closure(public, arrays)
    compiled = {cls.__name__: cls for cls in sorted(set(_compiled(public)), key=lambda cls: cls.__name__)}
    whole = Surface(arrays, reflected, compiled, {})
    whole.aliases.update(_aliases(whole))
    return whole


def walk() -> Iterator[str]:
    """The modules of JAX that can be imported, without ``jax._src``."""
    yield "jax"
    for info in pkgutil.walk_packages(jax.__path__, "jax.", onerror=lambda name: None):
        if not info.name.startswith(LEFT):
            yield info.name


@functools.cache
def offered() -> frozenset[str]:
    """The modules that ``import jax`` alone makes available."""
    command = "import sys, jax; print(*(name for name in sys.modules if name.startswith('jax.')))"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())


def public_names(module: ModuleType) -> list[str]:
    """The names that users of `module` see."""
    return [name for name in dir(module) if not name.startswith("_")]


@functools.cache
def class_home(cls: type) -> Home | None:
    """The module whose source defines `cls`: not always the one that the class claims to be from."""
    for module in dict.fromkeys(_candidates(cls)):
        if module.startswith("jax.") and _defines(module, cls):
            return module, cls.__name__
    return None


def _candidates(cls: type) -> Iterator[str]:
    yield cls.__module__
    for value in vars(cls).values():
        if inspect.isfunction(value):
            yield str(value.__globals__["__name__"])
    for name in sorted(sys.modules):
        if name.startswith("jax.") and vars(sys.modules[name]).get(cls.__name__) is cls:
            yield name


def _defines(module: str, cls: type) -> bool:
    if module not in sys.modules or vars(sys.modules[module]).get(cls.__name__) is not cls:
        return False
    return sources.read(module).defines_class(cls.__name__)


def _closure(public: list[str], arrays: frozenset[str]) -> frozenset[str]:
    """The modules that are reflected: public ones, those that these import from, and those of base classes."""
    reached: set[str] = set()
    waiting = [name for name in public if name not in arrays]
    waiting += [module for name in sorted(arrays) for module in _array_homes(name)]
    waiting += ["jax._src.typing", "jax._src.partition_spec"]
    while waiting:
        name = waiting.pop()
        if name in reached or name in arrays or name in SPECIAL:
            continue
        reached.add(name)
        waiting += [*_imports(name)] if name in public else []
        waiting += [*_bases(name), *_packages(name)]
    return frozenset(reached)


def _array_homes(name: str) -> Iterator[str]:
    """The modules that define the classes, and the classes of the other values, of a module on arrays."""
    module = importlib.import_module(name)
    for public in public_names(module):
        value = getattr(module, public)
        classes = {value if isinstance(value, type) else type(value), *_results(value)}
        for cls in sorted(classes, key=lambda cls: cls.__name__):
            home = class_home(cls) if cls.__module__.startswith("jax") else None
            if home is not None:
                yield home[0]


def _results(function: Any) -> Iterator[type]:
    """The classes that a function is annotated to return."""
    inner = inspect.unwrap(function) if callable(function) else None
    scope, annotations = getattr(inner, "__globals__", {}), getattr(inner, "__annotations__", {})
    named = scope.get(annotations.get("return"))
    if isinstance(named, type):
        yield named


def _imports(name: str) -> Iterator[str]:
    """The modules below ``jax._src`` that a public module imports names from."""
    source = sources.read(name)
    for bound, statements in source.bindings.items():
        statement = statements[-1]
        if isinstance(statement, ast.ImportFrom) and not bound.startswith("_"):
            module, _ = sources.import_source(source.module, statement, bound)
            try:
                value = sources.imported(source.module, statement, bound)
            except UnknownError:
                continue
            if module.startswith("jax._src.") and not isinstance(value, ModuleType):
                yield module
    for bound in public_names(source.module):
        value = getattr(source.module, bound)
        home = class_home(value) if isinstance(value, type) and value.__module__.startswith("jax") else None
        if home is not None:
            yield home[0]


def _bases(name: str) -> Iterator[str]:
    source = sources.read(name)
    for bound in source.names():
        node = source.class_node(bound)
        for base in node.bases if node else ():
            try:
                value = source.resolve(base.value if isinstance(base, ast.Subscript) else base)
            except UnknownError:
                continue
            if isinstance(value, type) and value.__module__.startswith("jax") and class_home(value):
                yield class_home(value)[0]  # type: ignore[index]  # just asked


def _packages(name: str) -> Iterator[str]:
    """The package around a module, if it imports anything: type checkers read it too."""
    package = name.rpartition(".")[0]
    if package.startswith("jax._src.") and sources.read(package).bindings:
        yield package


def _compiled(public: list[str]) -> Iterator[type]:
    """The compiled classes that public modules show, and their compiled bases."""
    for name in public:
        module = importlib.import_module(name)
        for bound in public_names(module):
            value = getattr(module, bound)
            cls = value if isinstance(value, type) else type(value)
            bases = (base for base in cls.__mro__ if base.__module__.partition(".")[0] == "jaxlib")
            yield from (base for base in bases if class_home(base) is None)


def _aliases(surface: Surface) -> Iterator[tuple[int, Home]]:
    """The types that have names of their own, by the identity of the object."""
    yield id(basearray.Array), (shown.PUBLIC, "Array")
    for name in ("ArrayLike", "StaticScalar"):
        yield id(getattr(basearray, name)), ("jax._src.basearray", name)
    written = set(scalars.class_names())
    for name, value in sorted(vars(scalar_types).items()):
        if isinstance(value, scalar_types._ScalarMeta) and name in written:
            yield id(value), ("jax._src.numpy.scalar_types", name)
    seen = {id(None), id(Any)}
    for module in sorted(surface.reflected):
        source = sources.read(module)
        speller = spelling.Speller(source, surface.home)
        for name in source.names():
            value = vars(source.module).get(name)
            if isinstance(value, type) or id(value) in seen or id(value) in surface.aliases:
                continue
            if _is_written_out(source, name) and speller.alias(name) not in (None, spelling.ANY):
                seen.add(id(value))
                yield id(value), (module, name)


def _is_written_out(source: sources.Source, name: str) -> bool:
    last = source.last(name)
    return not isinstance(getattr(last, "value", None), ast.Name | ast.Attribute | None)
