"""From the statement that defines a function in JAX to the lines that define it in a stub."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from inspect import Parameter, Signature
from typing import Any

from . import oracle, signatures
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

#: Results of methods that are the same whatever the class.
_RESULTS = {"__init__": "None", "__len__": "int", "__hash__": "int", "__repr__": "str", "__str__": "str"}


def function(name: str, statements: Iterable[ast.FunctionDef], speller: Speller) -> list[str]:
    """The lines that define a function by its statements: its overloads if it has some that are understood."""
    nodes = list(statements)
    overloads = [node for node in nodes if "overload" in map(last_name, node.decorator_list)]
    if overloads and all(is_understood(node, speller) for node in overloads):
        return [line for node in overloads for line in define(name, node, speller)]
    return define(name, nodes[-1], speller, result=ANY if overloads else None)


def is_understood(node: ast.FunctionDef, speller: Speller) -> bool:
    """Whether every annotation can be spelled: overloads that lose what tells them apart would be wrong."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    annotations = [argument.annotation for argument in arguments if argument.annotation is not None]
    outer, speller.variables = speller.variables, speller.variables | type_parameters(node)
    understood = all(
        not _is_open(speller.parameter(annotation)) or "Any" in ast.unparse(annotation)
        for annotation in annotations
    )
    speller.variables = outer
    return understood


def _is_open(text: str) -> bool:
    """Whether a part of an annotation could not be spelled, other than a function without arguments."""
    return ANY in text.replace(f"Callable[..., {ANY}]", "")


def type_parameters(node: ast.AST) -> set[str]:
    """The names of the type parameters in brackets."""
    return {parameter.name for parameter in getattr(node, "type_params", ())}


def brackets(node: ast.AST, speller: Speller) -> str:
    """The type parameters of a definition, with their bounds."""
    parameters = [_type_parameter(parameter, speller) for parameter in getattr(node, "type_params", ())]
    return f"[{', '.join(parameters)}]" if parameters else ""


def _type_parameter(node: Any, speller: Speller) -> str:
    bound = ANY if getattr(node, "bound", None) is None else speller.parameter(node.bound)
    stars = {"ParamSpec": "**", "TypeVarTuple": "*"}.get(type(node).__name__, "")
    return f"{stars}{node.name}" if bound == ANY else f"{stars}{node.name}: {bound}"


def define(
    name: str, node: ast.FunctionDef, speller: Speller, result: str | None = None, method: bool = False
) -> list[str]:
    """The lines that define a function, or a method, by one statement."""
    outer, speller.variables = speller.variables, speller.variables | type_parameters(node)
    signature = oracle.signature(node)
    lines = [*_decorators(node, speller), ""]
    parameters = list(signature.parameters.values())
    text = signatures.parameters(
        parameters,
        lambda parameter: _annotation(parameter, speller, first=method and parameter is parameters[0]),
    )
    if result is None:
        result = _result(name, node, signature, speller, method)
    lines[-1] = f"def {name}{brackets(node, speller)}({text}) -> {result}: ..."
    speller.variables = outer
    return lines


def _annotation(parameter: Parameter, speller: Speller, first: bool) -> str:
    if first and parameter.annotation is Parameter.empty:
        return ""
    text = speller.parameter(parameter.annotation)
    optional = parameter.default is None and text != ANY and "None" not in text
    return f"{text} | None" if optional else text


def _result(name: str, node: ast.FunctionDef, signature: Signature, speller: Speller, method: bool) -> str:
    if signature.return_annotation is not Signature.empty:
        return speller.annotation(signature.return_annotation)
    if method and name == "__new__":
        return speller.name(("typing", "Self"))
    if method and name in _RESULTS:
        return _RESULTS[name]
    return _returned(node, speller, method)


def _returned(node: ast.FunctionDef, speller: Speller, method: bool) -> str:
    """What every return statement says that it returns: itself, or a new object of a class of this module."""
    values = {_what(statement.value) for statement in ast.walk(node) if isinstance(statement, ast.Return)}
    only = values.pop() if len(values) == 1 else ""
    if method and only == "self":
        return speller.name(("typing", "Self"))
    cls = only.removesuffix("()")
    return cls if only != cls and speller.source.class_node(cls) and cls not in speller.hidden else ANY


def _what(value: ast.expr | None) -> str:
    match value:
        case ast.Name(id="self"):
            return "self"
        case ast.Call(func=ast.Name(id=name)):
            return f"{name}()"
    return ""


def _decorators(node: ast.FunctionDef, speller: Speller) -> Iterator[str]:
    for decorator in node.decorator_list:
        name = last_name(decorator)
        if name in ("setter", "deleter"):
            yield f"@{ast.unparse(decorator)}"
        elif name in _KEPT:
            yield f"@{speller.name((_KEPT[name], name))}"


def last_name(node: ast.expr) -> str:
    inner = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(inner).rpartition(".")[2]
