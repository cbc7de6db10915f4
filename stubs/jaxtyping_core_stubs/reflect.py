"""The stub of a module by reflection: each of its names as its source binds it."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from types import ModuleType, SimpleNamespace
from typing import Any

from . import classes, definitions, exports, requests, signatures, sources, spelling
from .spelling import ANY, Speller, is_standard
from .surface import SPECIAL, offered, surface

#: Values that are shown with their class.
_PLAIN = (bool, int, float, str, bytes, SimpleNamespace)


def render(name: str) -> str:
    """The text of the stub for the module `name`."""
    return _Reflection(name).text()


class _Reflection:
    """Writes the stub of one module."""

    def __init__(self, name: str) -> None:
        self.source = sources.read(name)
        self.surface = surface()
        self.is_private = name.startswith("jax._src")  # what others import from there is Any, to load less
        self.speller = Speller(self.source, self.surface.home)

    def text(self) -> str:
        names = [name for name in self.source.names() if _is_shown(name) and not self._is_hidden(name)]
        lines = [line for name in names for line in self._define(name)]
        head = ["from typing import Any as Any", *self.speller.import_lines()]
        lines = [line for line in lines if line != head[0]]
        return "\n".join(["", *head, "", *lines, ""])

    def _is_hidden(self, name: str) -> bool:
        """Whether a name is a module that only another import makes an attribute."""
        value = vars(self.source.module).get(name)
        if name in self.source.bindings or not isinstance(value, ModuleType):
            return False
        return not (self.surface.has(value.__name__) and value.__name__ in offered())

    def _define(self, name: str) -> Iterator[str]:
        value = self.source.value(name)
        transformation = exports.name_of(f"{self.source.name}.{name}", value)
        if transformation is not None:
            yield from import_lines(exports.MODULE, transformation, name)
            return
        last = self.source.last(name)
        if (node := self.source.class_node(name)) is not None:
            yield from classes.define(node, value if isinstance(value, type) else None, self.speller)
        elif isinstance(last, ast.Import | ast.ImportFrom):
            yield from self._imported(name, last)
        elif isinstance(last, ast.FunctionDef):
            yield from self._function(name, value)
        elif (text := self.speller.alias(name)) is not None and not _is_class(value):
            if (self.source.name, name) == requests.ALIAS:
                text = f"{self.speller.name(('typing', 'Literal'))}{requests.names()} | {text}"
            yield f"{name}: {self.speller.name(('typing', 'TypeAlias'))} = {text}"
        elif text not in (None, ANY):
            yield f"{name} = {text}"
        else:
            yield from self._variable(name, value, last)

    def _imported(self, name: str, statement: ast.Import | ast.ImportFrom) -> Iterator[str]:
        module, original = sources.import_source(self.source.module, statement, name)
        try:
            value = sources.imported(self.source.module, statement, name)
        except sources.UnknownError:
            yield f"{name}: {ANY}"
            return
        if isinstance(value, ModuleType):
            yield from self._module(name, value)
        elif original is not None and self._finds(module, original):
            yield from import_lines(module, original, name)
        else:
            yield from self._variable(name, value, None)

    def _finds(self, module: str, name: str) -> bool:
        """Whether type checkers find `name` in `module` without reading JAX's sources."""
        if module in self.surface.reflected or module in self.surface.arrays:
            return True
        if module in SPECIAL:
            home = self.surface.home(getattr(sys.modules[module], name, None))
            return home is not None and home[0] == module
        return is_standard(module) and not (name.startswith("_") or self.is_private)

    def _module(self, name: str, module: ModuleType) -> Iterator[str]:
        full = module.__name__
        if self.surface.has(full) or (is_standard(full) and not self.is_private):
            package, _, last = full.rpartition(".")
            if package:
                yield from import_lines(package, last, name)
            elif last == name:
                yield f"import {last} as {name}"
            else:
                yield f"import {last} as _{name}_module"
                yield f"{name} = _{name}_module"
        elif full != f"{self.source.name}.{name}":  # a module of this package is found without being declared
            yield f"{name}: {ANY}"

    def _function(self, name: str, value: Any) -> Iterator[str]:
        nodes = self.source.function_nodes(name)
        declared = name in self.source.declared
        if not declared and not inspect.isfunction(inspect.unwrap(value) if callable(value) else value):
            yield from self._variable(name, value, None)
        elif not declared and not inspect.isfunction(value) and name.startswith("_"):
            yield f"{name}: {ANY}"
        elif declared or _agrees(nodes[-1], value):
            yield from definitions.function(name, nodes, self.speller)
        else:
            yield from self._by_signature(name, value)

    def _variable(self, name: str, value: Any, statement: ast.stmt | None) -> Iterator[str]:
        if isinstance(value, type):
            home = self.surface.home(value)
            if home is not None and home != (self.source.name, name):
                yield from import_lines(*home, name)
            elif sources.is_named_tuple(value):
                yield from classes.named_tuple(name, value, self.speller)
            elif isinstance(statement, ast.Assign):  # a compiled class: nothing about it is known
                yield f"{name}: {ANY}"
            else:
                yield from classes.opaque(name)
        elif isinstance(value, spelling.VARIABLES):
            yield f'{name} = {self.speller.name(("typing", str(type(value).__name__)))}("{name}")'
        elif isinstance(value, ModuleType):
            yield from self._module(name, value)
        elif isinstance(statement, ast.AnnAssign):
            yield f"{name}: {self.speller.annotation(statement.annotation)}"
        elif type(value) in _PLAIN or (self.surface.home(type(value)) and _is_jax(type(value))):
            yield f"{name}: {self.speller.object(type(value))}"
        elif (home := self.surface.home(value)) is not None:
            yield from import_lines(*home, name)
        elif (
            inspect.isfunction(value) and is_standard(value.__module__) and isinstance(statement, ast.Assign)
        ):
            yield from import_lines(value.__module__, value.__name__, name)
        elif callable(value) and inspect.isfunction(inspect.unwrap(value)):
            yield from self._by_signature(name, value)
        else:
            yield f"{name}: {ANY}"

    def _by_signature(self, name: str, value: Callable[..., Any]) -> Iterator[str]:
        """A function that is defined elsewhere, or other than its source says."""
        inner = inspect.unwrap(value)
        home = str(getattr(inner, "__globals__", {}).get("__name__", self.source.name))
        known = home if home in sys.modules and home.startswith("jax") else self.source.name
        outer, self.speller.source = self.speller.source, sources.read(known)
        try:
            signature = inspect.signature(value)
            yield define(name, signature, self.speller)
        except (ValueError, TypeError):
            yield f"{name}: {ANY}"
        finally:
            self.speller.source = outer


def define(name: str, signature: Signature, speller: Speller) -> str:
    """The line that defines a function by its signature."""

    def annotate(parameter: Parameter) -> str:
        text = speller.parameter(parameter.annotation)
        return f"{text} | None" if parameter.default is None and text != ANY and "None" not in text else text

    parameters = signatures.parameters(signature.parameters.values(), annotate)
    return f"def {name}({parameters}) -> {speller.annotation(signature.return_annotation)}: ..."


def import_lines(module: str, name: str, public: str) -> Iterator[str]:
    """Import `name` and export it as `public`: an import exports only a name that stays the same."""
    if name == public:
        yield f"from {module} import {name} as {name}"
    else:
        yield f"from {module} import {name} as _{public}_source"
        yield f"{public} = _{public}_source"


def _agrees(node: ast.FunctionDef, value: Callable[..., Any]) -> bool:
    """Whether the function has the parameters that its source says."""
    args = node.args
    written = [argument.arg for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    try:
        parameters = inspect.signature(value).parameters.values()
    except (ValueError, TypeError):
        return True
    own = [
        parameter.name
        for parameter in parameters
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    return own == written or not own


def _is_shown(name: str) -> bool:
    if name == "annotations":  # of the __future__
        return False
    return not (name.startswith("__") and name.endswith("__")) or name in ("__version__", "__version_info__")


def _is_class(value: Any) -> bool:
    return isinstance(value, type) and value is not Any


def _is_jax(cls: type) -> bool:
    return cls.__module__.partition(".")[0] in ("jax", "jaxlib")
