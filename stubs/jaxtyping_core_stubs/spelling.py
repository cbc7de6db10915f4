"""From an annotation in JAX's source to the annotation in a stub, by what the names in it mean.

Every name is looked up in the module at hand, and spelled by an import from where type checkers find it. What
cannot be found becomes ``Any``.
"""

from __future__ import annotations

import ast
import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, Union

from . import sources
from .sources import Source, UnknownError

ANY = "Any"

#: The stub of the compiled classes, which have none of their own.
COMPILED = "jax._jaxlib"

#: Where type checkers find an object: the module and the name there. None: nowhere.
Home = tuple[str, str]
Homes = Callable[[Any], Home | None]

VARIABLES = (TypeVar, typing.ParamSpec, typing.TypeVarTuple)
#: Special forms that wrap one type.
_PLAIN = (typing.ClassVar, typing.Final, typing.Annotated)


class Speller:
    """Spells annotations of one module, and collects the imports that they need."""

    def __init__(self, source: Source, homes: Homes) -> None:
        self.target = source.name
        self.source = source
        self.homes = homes
        self.taken = {*source.names(), ANY}
        self.hidden: set[str] = set()  # names that mean something else in the class at hand
        self.variables: set[str] = set()  # type parameters in brackets (PEP 695)
        self.imports: dict[Home, str] = {}
        self.is_alias = False
        self.refused: frozenset[str] = frozenset()  # modules of which nothing may be named

    def parameter(self, annotation: Any) -> str:
        """The text for what a parameter accepts. To other checkers the compiled classes are unknown, so anything."""
        self.refused = frozenset({COMPILED})
        try:
            return self.annotation(annotation)
        finally:
            self.refused = frozenset()

    def annotation(self, annotation: Any) -> str:
        """The text for an annotation as `inspect` or `ast` gives it; ``Any`` where it is missing or not understood."""
        if annotation is inspect.Parameter.empty or annotation is None:
            return ANY if annotation is inspect.Parameter.empty else "None"
        try:
            return self.exact(annotation)
        except (UnknownError, SyntaxError):
            return ANY

    def exact(self, annotation: Any) -> str:
        """The text for an annotation, or `UnknownError`."""
        if isinstance(annotation, str):
            annotation = ast.parse(annotation.strip(), mode="eval").body
        return self._type(annotation) if isinstance(annotation, ast.expr) else self.object(annotation)

    def object(self, value: Any) -> str:
        """The text for a type that is given as an object."""
        if value is None or value is type(None):
            return "None"
        if value is Any:
            return ANY
        home = self.homes(value)
        if home is not None:
            return self.name(home)
        origin, arguments = typing.get_origin(value), typing.get_args(value)
        if origin in (Union, types.UnionType):
            return _union(self._lenient(part) for part in arguments)
        if origin is typing.Literal:
            return f"{self.name(('typing', 'Literal'))}[{', '.join(map(repr, arguments))}]"
        if origin is not None and arguments:
            parts = [self._argument_object(part) for part in arguments]
            return f"{self.object(origin)}[{_joined(origin, parts)}]"
        raise UnknownError(repr(value))

    def name(self, home: Home) -> str:
        """The name under which the stub has the object at `home`, which is imported if need be."""
        module, name = home
        if module in self.refused:
            raise UnknownError(name)
        if module == self.target and name not in self.hidden:
            return name
        if module == "builtins" and name not in self.taken | self.hidden:
            return name
        if home not in self.imports:
            alias = f"_{name}"
            while alias in self.taken:
                alias = f"_{alias}"
            self.taken.add(alias)
            self.imports[home] = alias
        return self.imports[home]

    def import_lines(self) -> list[str]:
        """The imports that the annotations need."""
        return [
            f"from {module} import {name} as {alias}"
            for (module, name), alias in sorted(self.imports.items())
        ]

    def _argument_object(self, part: Any) -> str:
        if part is ...:
            return "..."
        return f"[{', '.join(map(self._lenient, part))}]" if isinstance(part, list) else self._lenient(part)

    def _lenient(self, part: Any) -> str:
        try:
            return self.object(part)
        except UnknownError:
            return ANY

    def _type(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=None):
                return "None"
            case ast.Constant(value=str() as quoted):
                return self.exact(quoted)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return _union(self._type_or_any(part) for part in (left, right))
            case ast.Subscript(value=head, slice=inner):
                return self._subscript(head, inner)
            case ast.Name() | ast.Attribute():
                return self._whole(node)
        raise UnknownError(ast.unparse(node))

    def _whole(self, node: ast.Name | ast.Attribute) -> str:
        """A name without arguments. Of a function that is named so pyright does not know that it may be any."""
        text = self._named(node)
        functions = [self.imports.get((module, "Callable")) for module in ("collections.abc", "typing")]
        return f"{text}[..., {ANY}]" if text in functions else text

    def _type_or_any(self, node: ast.expr) -> str:
        try:
            return self._type(node)
        except UnknownError:
            return ANY

    def _named(self, node: ast.Name | ast.Attribute) -> str:
        if isinstance(node, ast.Name) and node.id in self.variables:
            return node.id
        if isinstance(node, ast.Name) and node.id not in self.hidden and self._is_own_type(node.id):
            own = self.homes(vars(self.source.module).get(node.id)) if self.refused else None
            if own is not None and own[0] in self.refused:
                raise UnknownError(node.id)
            return node.id
        value = self.source.resolve(node)
        if isinstance(value, VARIABLES):
            raise UnknownError(ast.unparse(node))
        return self.object(value)

    def _is_own_type(self, name: str) -> bool:
        """Whether the stub of this module defines `name` itself, as a class, an alias or a type variable."""
        if self.source.name != self.target:
            return False
        if self.source.defines_class(name):
            return True
        if isinstance(vars(self.source.module).get(name), VARIABLES):
            return not self.is_alias
        alias = self.alias(name)
        unknown_class = alias == ANY and isinstance(self.source.value(name), type)
        return alias is not None and (not unknown_class or self.source.value(name) is Any)

    def alias(self, name: str) -> str | None:
        """The type that the module gives another name by an assignment; None if `name` is something else."""
        last = self.source.last(name)
        match last:
            case ast.Assign(targets=[ast.Name()], value=value):
                explicit = False
            case ast.AnnAssign(annotation=annotation, value=ast.expr() as value):
                explicit = ast.unparse(annotation).endswith("TypeAlias")
                if not explicit:
                    return None
            case _ if sys.version_info >= (3, 12) and isinstance(last, ast.TypeAlias):
                explicit, value = True, last.value
            case _:
                return None
        if not explicit and not _is_type(self.source.value(name)):
            return None
        # what an alias leaves open is Any to who names it alone, as everybody does
        outer, self.is_alias = self.is_alias, True
        try:
            return self._type(value)
        except UnknownError:
            return ANY
        finally:
            self.is_alias = outer

    def _subscript(self, head: ast.expr, inner: ast.expr) -> str:
        value = self.source.resolve(head)
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if value is typing.Literal:
            return f"{self.name(('typing', 'Literal'))}[{ast.unparse(inner).strip('()')}]"
        if value is typing.Optional:
            return _union([self._type_or_any(inner), "None"])
        if value is typing.Union:
            return _union(map(self._type_or_any, parts))
        if value in _PLAIN:
            text = self._type_or_any(parts[0])
            return text if value is typing.Annotated else f"{self.object(value)}[{text}]"
        text = self._named(head) if isinstance(head, ast.Name | ast.Attribute) else ANY
        if text == ANY or not self._takes_arguments(value):
            return text
        outer = self.refused
        # `np.array(jax.devices())`: objects that fit everything would be taken for numbers, or for arrays of any dtype.
        self.refused = outer | {COMPILED} if value is list else outer
        try:
            return f"{text}[{_joined(value, list(map(self._argument, parts)))}]"
        finally:
            self.refused = outer

    def _takes_arguments(self, value: Any) -> bool:
        if not isinstance(value, type) or value.__module__.partition(".")[0] not in ("jax", "jaxlib"):
            return True
        home = self.homes(value)
        imported = home is not None and home[0] in sys.modules
        node = sources.read(home[0]).class_node(home[1]) if home and imported else None
        return node is not None and is_generic(node)

    def _argument(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=value) if value is ...:
                return "..."
            case ast.List(elts=parts):
                return f"[{', '.join(map(self._argument, parts))}]"
            case ast.Tuple(elts=[]):
                return "()"
        return self._type_or_any(node)


def is_generic(node: ast.ClassDef) -> bool:
    """Whether a class names its type parameters."""
    heads = (ast.unparse(base.value) for base in node.bases if isinstance(base, ast.Subscript))
    return bool(getattr(node, "type_params", ())) or any(
        head.rpartition(".")[2] in ("Generic", "Protocol") for head in heads
    )


def standard_home(value: Any) -> Home | None:
    """Where a class or special form of the standard library or of NumPy is found."""
    name = getattr(value, "__name__", None) or getattr(value, "_name", None)
    module = getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(module, str):
        return None
    if typing.get_args(value):
        return None
    package = module.partition(".")[0]
    module = "numpy" if package == "numpy" else module
    if not is_standard(module) or module.startswith("_"):
        return None
    standard = getattr(sys.modules.get(module), name, None)
    return (
        (module, name)
        if standard is value and (isinstance(value, type) or module.startswith("typing"))
        else None
    )


#: Modules of the standard library that no stub imports: nothing that type checkers need, or much to read.
_LEFT = frozenset({"__future__", "http"})


def is_standard(module: str) -> bool:
    """Whether type checkers know a module, and cheaply."""
    return module.partition(".")[0] in {*sys.stdlib_module_names, "numpy"} - _LEFT


def _joined(head: Any, arguments: list[str]) -> str:
    if head in (collections.abc.Callable, typing.Callable) and arguments[0] == ANY:
        arguments = ["...", *arguments[1:]]
    return ", ".join(arguments) or "()"


def _union(parts: Iterable[str]) -> str:
    members = dict.fromkeys(member for part in parts for member in _members(part))
    if ANY in members:
        return ANY
    return " | ".join(
        [*(member for member in members if member != "None"), *(["None"] if "None" in members else [])]
    )


def _members(part: str) -> list[str]:
    """The members of a union, as text: `` | `` within brackets does not count."""
    members, depth = [""], 0
    for letter in part:
        depth += (letter in "[(") - (letter in "])")
        if letter == "|" and not depth:
            members.append("")
        else:
            members[-1] += letter
    return [member.strip() for member in members]


def _is_type(value: Any) -> bool:
    if isinstance(value, type) or value is Any:
        return True
    return typing.get_origin(value) is not None or isinstance(value, types.UnionType | types.GenericAlias)
