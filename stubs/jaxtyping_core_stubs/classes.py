"""From a class of JAX to its stub: what its source declares, and what its instances are given."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from inspect import Parameter, Signature
from typing import Any

from . import oracle, signatures, sources
from .spelling import ANY, Speller

#: Decorators that a stub keeps, by the last part of their name.
_KEPT = {
    "property": "builtins",
    "staticmethod": "builtins",
    "classmethod": "builtins",
    "cached_property": "functools",
    "overload": "typing",
    "contextmanager": "contextlib",
}

_CLASS_DECORATORS = {"dataclass": "dataclasses", "final": "typing", "runtime_checkable": "typing"}

#: Results of methods that are the same whatever the class.
_RESULTS = {"__init__": "None", "__len__": "int", "__hash__": "int", "__repr__": "str", "__str__": "str"}

_OPERATORS = frozenset(
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


def function(name: str, found: Iterable[ast.FunctionDef], speller: Speller) -> list[str]:
    """The lines that define a function by its statements: its overloads if it has some that are understood."""
    nodes = list(found)
    overloads = [one for one in nodes if "overload" in map(_last_name, one.decorator_list)]
    if overloads and all(_is_understood(one, speller) for one in overloads):
        return [line for one in overloads for line in _function(name, one, speller)]
    return _function(name, nodes[-1], speller, result=ANY if overloads else None)


def _is_understood(node: ast.FunctionDef, speller: Speller) -> bool:
    """Whether every annotation can be spelled: overloads that lose what tells them apart would be wrong."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    given = [one.annotation for one in arguments if one.annotation is not None]
    outer, speller.variables = speller.variables, speller.variables | type_parameters(node)
    understood = all(ANY not in speller.annotation(one) or "Any" in ast.unparse(one) for one in given)
    speller.variables = outer
    return understood


def type_parameters(node: ast.AST) -> set[str]:
    """The names of the type parameters in brackets."""
    return {one.name for one in getattr(node, "type_params", ())}


def _brackets(node: ast.AST) -> str:
    return (
        f"[{', '.join(_type_parameter(one) for one in found)}]"
        if (found := getattr(node, "type_params", ()))
        else ""
    )


def _type_parameter(node: Any) -> str:
    # Without the bound: a stub must not refuse what it does not understand.
    return ast.unparse(node).partition(":")[0].partition(" = ")[0]


def _function(
    name: str, node: ast.FunctionDef, speller: Speller, result: str | None = None, method: bool = False
) -> list[str]:
    outer, speller.variables = speller.variables, speller.variables | type_parameters(node)
    signature = oracle.signature(node)
    lines = [*_decorators(node, speller), ""]
    given = list(signature.parameters.values())
    text = signatures.parameters(
        given, lambda one: _annotation(one, speller, first=method and one is given[0])
    )
    if result is None:
        result = _result(name, node, signature, speller, method)
    lines[-1] = f"def {name}{_brackets(node)}({text}) -> {result}: ..."
    speller.variables = outer
    return lines


def _annotation(one: Parameter, speller: Speller, first: bool) -> str:
    if first and one.annotation is Parameter.empty:
        return ""
    text = speller.parameter(one.annotation)
    optional = one.default is None and text != ANY and "None" not in text
    return f"{text} | None" if optional else text


def _result(name: str, node: ast.FunctionDef, signature: Signature, speller: Speller, method: bool) -> str:
    if signature.return_annotation is not Signature.empty:
        return speller.annotation(signature.return_annotation)
    if method and name == "__new__":
        return speller.name(("typing", "Self"))
    if method and name in _RESULTS:
        return _RESULTS[name]
    return speller.name(("typing", "Self")) if method and _returns_self(node) else ANY


def _returns_self(node: ast.FunctionDef) -> bool:
    found = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
    return bool(found) and all(isinstance(one, ast.Name) and one.id == "self" for one in found)


def _decorators(node: ast.FunctionDef, speller: Speller) -> Iterator[str]:
    for decorator in node.decorator_list:
        name = _last_name(decorator)
        if name in ("setter", "deleter"):
            yield f"@{ast.unparse(decorator)}"
        elif name in _KEPT:
            yield f"@{speller.name((_KEPT[name], name))}"


def _last_name(node: ast.expr) -> str:
    inner = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(inner).rpartition(".")[2]


class _Writer:
    """Writes one class."""

    def __init__(self, node: ast.ClassDef, cls: type | None, speller: Speller) -> None:
        self.node, self.cls, self.speller = node, cls, speller
        self.body = [statement for statement, _ in sources.flat(node.body)]
        self.names = dict.fromkeys(name for statement in self.body for name in _member_names(statement))
        self.is_dataclass = "dataclass" in map(_last_name, node.decorator_list)
        self.bases = [self._base(base) for base in node.bases]
        last = [base.rpartition("_")[2] for base in self.bases]
        self.is_enum = cls is not None and "__members__" in dir(type(cls))
        self.is_tuple = "NamedTuple" in last

    def lines(self) -> list[str]:
        speller = self.speller
        outer = speller.hidden, speller.variables
        speller.variables = speller.variables | type_parameters(self.node)
        speller.hidden = speller.hidden | set(self.names)
        body = [*self._members(), *self._instance_attributes(), *self._others()]
        speller.hidden, speller.variables = outer
        bases = f"({', '.join(self.bases)})" if self.bases else ""
        head = f"class {self.node.name}{_brackets(self.node)}{bases}:"
        decorated = [*self._decorators(), head]
        return [*decorated, *(f"    {line}" for line in body or ["..."])]

    def _base(self, base: ast.expr) -> str:
        outer = self.speller.variables
        self.speller.variables = outer | type_parameters(self.node)
        text = self.speller.annotation(base)
        self.speller.variables = outer
        return text

    def _decorators(self) -> Iterator[str]:
        for decorator in self.node.decorator_list:
            name = _last_name(decorator)
            if name in _CLASS_DECORATORS:
                text = self.speller.name((_CLASS_DECORATORS[name], name))
                keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
                given = ", ".join(f"{one.arg}={ast.unparse(one.value)}" for one in keywords)
                yield f"@{text}({given})" if given else f"@{text}"

    def _members(self) -> Iterator[str]:
        functions = [one for one in self.body if isinstance(one, ast.FunctionDef)]
        done: set[str] = set()
        for statement in self.body:
            match statement:
                case ast.FunctionDef(name=name) if name not in done:
                    done.add(name)
                    yield from self._method(name, [one for one in functions if one.name == name])
                case ast.ClassDef(name=name):
                    inner = vars(self.cls).get(name) if self.cls else None
                    yield from define(statement, inner if isinstance(inner, type) else None, self.speller)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    yield self._annotated(name, statement)
                case ast.Assign(targets=targets, value=value):
                    names = [
                        one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
                    ]
                    for name in names:
                        yield from self._assigned(name, value)

    def _method(self, name: str, nodes: list[ast.FunctionDef]) -> Iterator[str]:
        overloads = [one for one in nodes if "overload" in map(_last_name, one.decorator_list)]
        if overloads:
            nodes = overloads if all(_is_understood(one, self.speller) for one in overloads) else nodes[-1:]
        elif not any("setter" in map(_last_name, one.decorator_list) for one in nodes):
            nodes = nodes[-1:] if len(nodes) > 1 and name not in self.names else nodes[:1]
        for one in nodes:
            static = any(_last_name(decorator) == "staticmethod" for decorator in one.decorator_list)
            yield from _function(name, one, self.speller, method=not static)

    def _annotated(self, name: str, statement: ast.AnnAssign) -> str:
        text = f"{name}: {self.speller.annotation(statement.annotation)}"
        value = statement.value
        if value is None:
            return text
        if isinstance(value, ast.Call) and _last_name(value) == "field":
            keywords = (f"{one.arg}={_field_value(one)}" for one in value.keywords if one.arg in _FIELD)
            return f"{text} = {self.speller.name(('dataclasses', 'field'))}({', '.join(keywords)})"
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
        elif isinstance(value, ast.Name) and value.id in self.names:
            yield f"{name} = {value.id}"
        elif isinstance(value, ast.Constant) and isinstance(value.value, bool | int | str):
            yield self._attribute(name, self.speller.name(("builtins", type(value.value).__name__)))
        elif name == "__getattr__":
            yield GETATTR
        elif not _is_dunder(name) or name in _OPERATORS:
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
            if name not in known and (name in _OPERATORS or not name.startswith("_")) and not self.is_enum:
                yield self._attribute(name)
        if _sets_unknown_attributes(self.node) and "__getattr__" not in self.names:
            yield GETATTR

    def _attribute(self, name: str, text: str = ANY) -> str:
        return (
            f"{name}: {self.speller.name(('typing', 'ClassVar'))}[{text}]"
            if self.is_dataclass
            else f"{name}: {text}"
        )


_FIELD = ("default", "default_factory", "init", "kw_only")


def _field_value(one: ast.keyword) -> str:
    return ast.unparse(one.value) if isinstance(one.value, ast.Constant) else "..."


def _member_names(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (node.id for one in targets for node in ast.walk(one) if isinstance(node, ast.Name))


def _slots(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Assign) and "__slots__" in _member_names(statement):
            yield from (
                str(one.value)
                for one in ast.walk(statement.value)
                if isinstance(one, ast.Constant) and one.value
            )


def _instance_names(body: list[ast.stmt]) -> dict[str, ast.expr | None]:
    """The attributes that the methods assign to ``self``, with their annotations."""
    found: dict[str, ast.expr | None] = {}
    for method in body:
        if not isinstance(method, ast.FunctionDef) or not method.args.args:
            continue
        first = method.args.args[0].arg
        for node in ast.walk(method):
            match node:
                case ast.AnnAssign(
                    target=ast.Attribute(value=ast.Name(id=owner), attr=name), annotation=given
                ):
                    if owner == first:
                        found[name] = given
                case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store()) if owner == first:
                    found.setdefault(name, None)
                case ast.Call(
                    func=ast.Attribute(attr="__setattr__"), args=[*_, ast.Constant(value=str() as name), _]
                ):
                    found.setdefault(name, None)
    return found


def _sets_unknown_attributes(node: ast.ClassDef) -> bool:
    text = ast.unparse(node)
    return "setattr(self, " in text.replace("__setattr__(self, '", "") or "self.__dict__" in text


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def compiled(name: str, cls: type, known: set[str]) -> list[str]:
    """A compiled class: nothing but the names of its members is known."""
    bases = [base.__name__ for base in cls.__bases__ if base.__name__ in known]
    body = [f"    {line}" for member in sorted(vars(cls)) for line in _compiled_member(member, cls)]
    head = f"class {name}({', '.join(bases) or ANY}):"
    rest = (
        ["    def __init__(self, *args: Any, **kwargs: Any) -> None: ..."] if "__init__" in vars(cls) else []
    )
    return [head, *rest, *body, "    def __getattr__(self, name: str) -> Any: ..."]


def _compiled_member(name: str, cls: type) -> list[str]:
    value = inspect.getattr_static(cls, name)
    if name.startswith("_") and name not in _OPERATORS:
        return []
    if isinstance(value, property | type(type.__dict__["__name__"])):
        return ["@property", f"def {name}(self) -> Any: ..."]
    if isinstance(value, staticmethod):
        return ["@staticmethod", f"def {name}(*args: Any, **kwargs: Any) -> Any: ..."]
    if callable(value):
        return [f"def {name}(self, *args: Any, **kwargs: Any) -> Any: ..."]
    return [f"{name}: Any"]
