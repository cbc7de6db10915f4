"""From a class of JAX to its stub: what its source declares, and what its instances are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from inspect import Parameter
from typing import Any

import jax

from . import definitions, sources
from .spelling import ANY, Speller

_CLASS_DECORATORS = {"dataclass": "dataclasses", "final": "typing", "runtime_checkable": "typing"}

OPERATORS = frozenset(
    f"__{prefix}{name}__"
    for prefix in ("", "r", "i")
    for name in [
        "add",
        "sub",
        "mul",
        "truediv",
        "floordiv",
        "mod",
        "divmod",
        "pow",
        "matmul",
        "and",
        "or",
        "xor",
        "lshift",
        "rshift",
    ]
) | {"__neg__", "__pos__", "__abs__", "__invert__", "__getitem__", "__iter__", "__len__", "__call__"}

GETATTR = "def __getattr__(self, name: str) -> Any: ..."

OPAQUE = """\
class {name}({bases}):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ..."""


def opaque(name: str) -> list[str]:
    """A class of which nothing is known: it fits everywhere and has every attribute."""
    return OPAQUE.format(name=name, bases=ANY).splitlines()


def named_tuple(name: str, cls: Any, speller: Speller) -> list[str]:
    """A class of named tuples that a call made."""
    defaults = getattr(cls, "_field_defaults", {})
    fields = [f"    {field}: {ANY}{' = ...' if field in defaults else ''}" for field in cls._fields]
    return [f"class {name}({speller.name(('typing', 'NamedTuple'))}):", *(fields or ["    ..."])]


def define(node: ast.ClassDef, cls: type | None, speller: Speller) -> list[str]:
    """The lines that define a class."""
    return _Writer(node, cls, speller).lines()


class _Writer:
    """Writes one class."""

    def __init__(self, node: ast.ClassDef, cls: type | None, speller: Speller) -> None:
        self.node, self.cls, self.speller = node, cls, speller
        self.body = [statement for statement, _ in sources.flat(node.body)]
        self.names = dict.fromkeys(name for statement in self.body for name in _member_names(statement))
        self.is_dataclass = "dataclass" in map(definitions.last_name, node.decorator_list)
        self.bases = [self._base(base) for base in node.bases]
        last = [base.rpartition("_")[2] for base in self.bases]
        self.is_enum = cls is not None and "__members__" in dir(type(cls))
        self.is_tuple = "NamedTuple" in last
        self.is_array = any(_resolved(base, speller) is jax.Array for base in node.bases)
        self.call = next((statement for statement in self.body if _passes_on(statement, node)), None)

    def lines(self) -> list[str]:
        speller = self.speller
        outer = speller.hidden, speller.variables
        speller.variables = speller.variables | definitions.type_parameters(self.node)
        speller.hidden = speller.hidden | set(self.names)
        body = [*self._members(), *self._instance_attributes(), *self._others()]
        speller.hidden, speller.variables = outer
        variables, body = self._generic_fields(body) if self.is_tuple else ({}, body)
        parents = [*self.bases, self._generic(variables)] if variables else self.bases
        bases = f"({', '.join(parents)})" if parents else ""
        brackets = "" if self.call else definitions.brackets(self.node, speller)
        head = f"class {self.node.name}{brackets}{bases}:"
        decorated = [*variables.values(), *self._decorators(), head]
        return [*decorated, *(f"    {line}" for line in body or ["..."])]

    def _generic_fields(self, body: list[str]) -> tuple[dict[str, str], list[str]]:
        """Type variables for the fields that are arrays, with their definitions, and the members that use them."""
        fields = [(name, kind) for name, colon, kind in (line.partition(": ") for line in body) if colon]
        if any(line.startswith("def ") for line in body):  # what makes one would have to say of what
            return {}, body
        arrays = {name: kind for name, kind in fields if kind in ("Array", "_Array", "jax.Array")}
        made = self.speller.name(("typing_extensions", "TypeVar")) if arrays else ""
        variables = {
            variable: f'{variable} = {made}("{variable}", covariant=True, default={kind})'
            for name, kind in arrays.items()
            for variable in [f"_{self.node.name}_{name}"]
        }
        used = {f"{name}: {kind}": f"{name}: _{self.node.name}_{name}" for name, kind in arrays.items()}
        return variables, [used.get(line, line) for line in body]

    def _generic(self, variables: dict[str, str]) -> str:
        return f"{self.speller.name(('typing', 'Generic'))}[{', '.join(variables)}]"

    def _base(self, base: ast.expr) -> str:
        outer = self.speller.variables
        self.speller.variables = outer | definitions.type_parameters(self.node)
        text = self.speller.annotation(base)
        self.speller.variables = outer
        return text

    def _decorators(self) -> Iterator[str]:
        for decorator in self.node.decorator_list:
            name = definitions.last_name(decorator)
            if name in _CLASS_DECORATORS:
                text = self.speller.name((_CLASS_DECORATORS[name], name))
                keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
                arguments = ", ".join(f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in keywords)
                yield f"@{text}({arguments})" if arguments else f"@{text}"

    def _members(self) -> Iterator[str]:
        functions = [statement for statement in self.body if isinstance(statement, ast.FunctionDef)]
        done: set[str] = set()
        for statement in self.body:
            match statement:
                case ast.FunctionDef(name=name) if name not in done:
                    done.add(name)
                    yield from self._method(
                        name, [function for function in functions if function.name == name]
                    )
                case ast.ClassDef(name=name):
                    inner = vars(self.cls).get(name) if self.cls else None
                    yield from define(statement, inner if isinstance(inner, type) else None, self.speller)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    yield self._annotated(name, statement)
                case ast.Assign(targets=targets, value=value):
                    names = [
                        part.id
                        for target in targets
                        for part in ast.walk(target)
                        if isinstance(part, ast.Name)
                    ]
                    for name in names:
                        yield from self._assigned(name, value)

    def _method(self, name: str, nodes: list[ast.FunctionDef]) -> Iterator[str]:
        overloads = [node for node in nodes if "overload" in map(definitions.last_name, node.decorator_list)]
        if overloads:
            nodes = (
                overloads
                if all(definitions.is_understood(node, self.speller) for node in overloads)
                else nodes[-1:]
            )
        elif not any("setter" in map(definitions.last_name, node.decorator_list) for node in nodes):
            nodes = nodes[-1:] if len(nodes) > 1 and name not in self.names else nodes[:1]
        special = _is_dunder(name) and name not in OPERATORS
        if self.is_array and not special and nodes[-1].returns is None and hasattr(jax.Array, name):
            return  # it says nothing that arrays do not
        for node in nodes:
            static = any(
                definitions.last_name(decorator) == "staticmethod" for decorator in node.decorator_list
            )
            lines = definitions.define(name, node, self.speller, method=not static)
            lines[-1] = lines[-1].replace("__call__(", f"__call__{self._passed_on(node)}(")
            yield from lines

    def _passed_on(self, method: ast.FunctionDef) -> str:
        return definitions.brackets(self.node, self.speller) if method is self.call else ""

    def _annotated(self, name: str, statement: ast.AnnAssign) -> str:
        text = f"{name}: {self.speller.annotation(statement.annotation)}"
        value = statement.value
        if value is None:
            return text
        arguments = _field(value)
        if {"init", "kw_only"} & arguments.keys():
            keywords = ", ".join(f"{name}={_default(value)}" for name, value in arguments.items())
            return f"{text} = {self.speller.name(('dataclasses', 'field'))}({keywords})"
        if isinstance(value, ast.Call) and not arguments and definitions.last_name(value) == "field":
            return text
        return f"{text} = ..." if self.is_dataclass or self.is_tuple else text

    def _assigned(self, name: str, value: ast.expr) -> Iterator[str]:
        if name == "__slots__":
            slots = ast.literal_eval(value) if isinstance(value, ast.Tuple | ast.List | ast.Constant) else ()
            for slot in (slots,) if isinstance(slots, str) else slots:
                if (
                    slot not in self.names
                    and slot not in _instance_names(self.body)
                    and not slot.startswith("__")
                ):
                    yield self._attribute(slot)
        elif self.is_enum and not name.startswith("_"):
            plain = isinstance(value, ast.Constant) and isinstance(value.value, int | str)
            yield f"{name} = {ast.unparse(value) if plain else '...'}"
        elif isinstance(value, ast.Name) and value.id in self.names and value.id != name:
            yield f"{name} = {value.id}"
        elif isinstance(value, ast.Constant) and isinstance(value.value, bool | int | str):
            yield self._attribute(name, self.speller.name(("builtins", type(value.value).__name__)))
        elif name == "__getattr__":
            yield GETATTR
        elif not _is_dunder(name) or name in OPERATORS:
            yield self._attribute(name)

    def _instance_attributes(self) -> Iterator[str]:
        for name, annotation in _instance_names(self.body).items():
            if name in self.names or name.startswith("__") or self.is_tuple:
                continue
            if annotation is not None or not self._inherits(name):
                text = self.speller.annotation(Parameter.empty if annotation is None else annotation)
                if self.is_dataclass:
                    field = self.speller.name(("dataclasses", "field"))
                    yield f"{name}: {text} = {field}(init=False)"
                else:
                    yield f"{name}: {text}"

    def _inherits(self, name: str) -> bool:
        return any(
            name in vars(base).get("__annotations__", {})
            for base in (self.cls.__mro__[1:] if self.cls else ())
        )

    def _others(self) -> Iterator[str]:
        """What the class is given after its definition."""
        known = {*self.names, *_instance_names(self.body), *_slots(self.body)}
        for name in sorted(vars(self.cls) if self.cls else ()):
            known_of_arrays = self.is_array and hasattr(jax.Array, name)
            shown = name in OPERATORS or not name.startswith("_")
            if shown and name not in known and not (self.is_enum or known_of_arrays):
                yield self._attribute(name)
        if _sets_unknown_attributes(self.node) and "__getattr__" not in self.names:
            yield GETATTR

    def _attribute(self, name: str, text: str = ANY) -> str:
        return (
            f"{name}: {self.speller.name(('typing', 'ClassVar'))}[{text}]"
            if self.is_dataclass
            else f"{name}: {text}"
        )


def _field(value: ast.expr) -> dict[str, ast.expr]:
    """What the call of ``dataclasses.field`` says that concerns the class's constructor."""
    if not isinstance(value, ast.Call) or definitions.last_name(value) != "field":
        return {}
    shown = ("default", "default_factory", "init", "kw_only")
    return {str(keyword.arg): keyword.value for keyword in value.keywords if keyword.arg in shown}


def _default(value: ast.expr) -> str:
    return ast.unparse(value) if isinstance(value, ast.Constant) else "..."


def _member_names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (
                node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
            )


def _resolved(node: ast.expr, speller: Speller) -> Any:
    try:
        value = speller.source.value(node.id) if isinstance(node, ast.Name) else None
        return value if value is not None else speller.source.resolve(node)
    except sources.UnknownError:
        return None


def _passes_on(statement: ast.stmt, cls: ast.ClassDef) -> bool:
    """Whether `statement` is a method ``__call__(self, x: T) -> T`` of a class of which T is the type parameter.

    Nothing but a call tells what T is, so that it belongs to the method.
    """
    match statement:
        case ast.FunctionDef(
            name="__call__", args=ast.arguments(args=[_, argument]), returns=ast.Name(id=name)
        ):
            annotation = argument.annotation
            return isinstance(annotation, ast.Name) and {annotation.id} == {
                name
            } == definitions.type_parameters(cls)
    return False


def _slots(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Assign) and "__slots__" in _member_names(statement):
            yield from (
                str(part.value)
                for part in ast.walk(statement.value)
                if isinstance(part, ast.Constant) and part.value
            )


def _instance_names(body: list[ast.stmt]) -> dict[str, ast.expr | None]:
    """The attributes that the methods assign to ``self``, with their annotations."""
    attributes: dict[str, ast.expr | None] = {}
    for method in body:
        if not isinstance(method, ast.FunctionDef) or not method.args.args:
            continue
        first = method.args.args[0].arg
        for node in ast.walk(method):
            match node:
                case ast.AnnAssign(
                    target=ast.Attribute(value=ast.Name(id=owner), attr=name), annotation=annotation
                ):
                    if owner == first:
                        attributes[name] = annotation
                case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store()) if owner == first:
                    attributes.setdefault(name, None)
                case ast.Call(
                    func=ast.Attribute(attr="__setattr__"), args=[*_, ast.Constant(value=str() as name), _]
                ):
                    attributes.setdefault(name, None)
    return attributes


def _sets_unknown_attributes(node: ast.ClassDef) -> bool:
    text = ast.unparse(node)
    return "setattr(self, " in text.replace("__setattr__(self, '", "") or "self.__dict__" in text


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
