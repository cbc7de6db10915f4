"""The source text of JAX's modules, read as data: which statements bind which names, and what the names mean."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any


class UnknownError(Exception):
    """An expression means something that cannot be found out, or that a stub cannot name."""


@dataclass(frozen=True)
class Source:
    """A module with the statements that bind its names, as a type checker takes them."""

    module: ModuleType
    bindings: dict[str, list[ast.stmt]]
    #: Names that only type checkers see.
    declared: frozenset[str]

    @property
    def name(self) -> str:
        """The full name of the module."""
        return self.module.__name__

    def names(self) -> list[str]:
        """The global names, private ones too, in the order of the source; then those that come from elsewhere."""
        own = vars(self.module)
        written = [name for name in self.bindings if name in own or name in self.declared]
        return [*written, *sorted(name for name in own if name not in self.bindings and not _is_dunder(name))]

    def last(self, name: str) -> ast.stmt | None:
        """The statement that binds a name in the end; None where it comes from elsewhere."""
        return self.bindings[name][-1] if name in self.bindings else None

    def class_node(self, name: str) -> ast.ClassDef | None:
        """The definition of a class of this module."""
        return next((node for node in self.bindings.get(name, ()) if isinstance(node, ast.ClassDef)), None)

    def defines_class(self, name: str) -> bool:
        """Whether the module defines a class of that name, by a statement or as a named tuple."""
        value = vars(self.module).get(name)
        return self.class_node(name) is not None or (is_named_tuple(value) and self._calls(name))

    def _calls(self, name: str) -> bool:
        return any(isinstance(getattr(node, "value", None), ast.Call) for node in self.bindings.get(name, ()))

    def value(self, name: str) -> Any:
        """The value of a global name, as type checkers take it; None where it cannot be found out."""
        last = self.last(name)
        if name not in self.declared or not isinstance(last, ast.Assign):
            return vars(self.module).get(name)
        try:
            return self.resolve(last.value)
        except UnknownError:
            return None

    def function_nodes(self, name: str) -> list[ast.FunctionDef]:
        """The definitions of a function of this module: several if it is overloaded."""
        return [node for node in self.bindings.get(name, ()) if isinstance(node, ast.FunctionDef)]

    def resolve(self, node: ast.expr) -> Any:
        """The object that a name or an attribute denotes."""
        match node:
            case ast.Name(id=name):
                return self._global(name)
            case ast.Attribute(value=value, attr=name):
                owner = self.resolve(value)
                if hasattr(owner, name):
                    return getattr(owner, name)
        raise UnknownError(ast.unparse(node))

    def _global(self, name: str) -> Any:
        for scope in (vars(self.module), vars(builtins)):
            if name in scope:
                return scope[name]
        for statement in self.bindings.get(name, ()):  # imported for type checkers alone, or deleted later
            if isinstance(statement, ast.Import | ast.ImportFrom):
                return imported(self.module, statement, name)
        raise UnknownError(name)


@functools.cache
def read(name: str) -> Source:
    """The module `name`."""
    module = importlib.import_module(name)
    bindings: dict[str, list[ast.stmt]] = {}
    declared: set[str] = set()
    text = Path(module.__file__).read_text(encoding="utf-8") if module.__file__ else ""
    for statement, only_declared in flat(ast.parse(text).body):
        for bound in _bound(statement):
            bindings.setdefault(bound, []).append(statement)
            declared |= {bound} if only_declared else set()
    return Source(module, bindings, frozenset(declared))


def flat(body: Sequence[ast.stmt], declared: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements without the branches around them, and whether only type checkers take the branch."""
    for statement in body:
        match statement:
            case ast.If(test=test, body=taken, orelse=other):
                match ast.unparse(test).removeprefix("not ").rpartition(".")[2]:
                    case "TYPE_CHECKING":
                        negated = isinstance(test, ast.UnaryOp)
                        yield from flat(other if negated else taken, True)
                    case _:
                        yield from flat([*taken, *other], declared)
            case ast.Try(body=taken, handlers=handlers, orelse=other, finalbody=last):
                handled = [line for handler in handlers for line in handler.body]
                yield from flat([*taken, *handled, *other, *last], declared)
            case ast.With(body=taken) | ast.For(body=taken) | ast.While(body=taken):
                yield from flat(taken, declared)
            case _:
                yield statement, declared


def imported(module: ModuleType, statement: ast.Import | ast.ImportFrom, name: str) -> Any:
    """What an import statement of `module` binds to `name`."""
    source, original = import_source(module, statement, name)
    try:
        origin = importlib.import_module(source)
        if original is None:
            return origin
        return (
            getattr(origin, original)
            if hasattr(origin, original)
            else importlib.import_module(f"{source}.{original}")
        )
    except ImportError as error:
        raise UnknownError(name) from error


def import_source(
    module: ModuleType, statement: ast.Import | ast.ImportFrom, name: str
) -> tuple[str, str | None]:
    """The module that `name` is imported from and its name there; None where it is that module itself."""
    alias = next(
        alias for alias in statement.names if name in (alias.asname, alias.name.partition(".")[0], alias.name)
    )
    if isinstance(statement, ast.Import):
        return (alias.name if alias.asname else name), None
    relative = "." * statement.level + (statement.module or "")
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    return importlib.util.resolve_name(relative, package), alias.name


def _bound(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (
                alias.asname or alias.name.partition(".")[0] for alias in aliases if alias.name != "*"
            )
        case _ if isinstance(alias := getattr(statement, "name", None), ast.Name):  # type X = ...
            yield alias.id


def is_named_tuple(value: Any) -> bool:
    """Whether a value is a class of named tuples."""
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
