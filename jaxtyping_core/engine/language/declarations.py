"""Reading what a program declares: annotations, type parameters, and what stands in an annotation."""

from __future__ import annotations

import ast
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..control import Control, Exhausted, RaisedException
from ..scopes import Scope
from ..values.unknowns import UNKNOWN, ConcretizationError, Unknown
from .comparable import contracts

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..values.callables import Function, Node

#: What makes type variables, whose names checkers want to see.
_TYPE_VARIABLE: Any = typing.TypeVar
_SEVERAL: Any = typing.TypeVarTuple
_PARAMETERS: Any = typing.ParamSpec


def with_stars(function: Function) -> set[str]:
    """The names of ``*args`` and ``**kwargs``."""
    a = function.node.args
    return {arg.arg for arg in (a.vararg, a.kwarg) if arg is not None}


def parameters(node: Node) -> list[ast.arg]:
    """The parameters of a function."""
    a = node.args
    declared = [*a.posonlyargs, *a.args, *([a.vararg] if a.vararg else []), *a.kwonlyargs]
    return [*declared, *([a.kwarg] if a.kwarg else [])]


def field_annotations(interpreter: Interpreter, cls: type) -> Iterator[tuple[str, Any, Scope]]:
    """The annotations in the classes of the program that a class is made of, each with the scope of its class."""
    for base in reversed(cls.__mro__):
        if base in interpreter.scopes:
            scope = interpreter.scopes[base]
            for name, annotation in scope.variables.get("__annotations__", {}).items():
                yield name, annotation, scope


def with_parameters(interpreter: Interpreter, node: Any, scope: Scope) -> Scope:
    """A scope with the type parameters of a function."""
    return Scope(scope, scope.module, type_parameters(interpreter, node, scope))


def generic_in(parameters: list[Any]) -> Any:
    """The base of a class with these type parameters."""
    several: Any = typing.TypeVarTuple
    generic: Any = typing.Generic
    return generic[tuple(typing.Unpack[p] if isinstance(p, several) else p for p in parameters)]


def type_parameters(interpreter: Interpreter, node: Any, scope: Scope) -> dict[str, Any]:
    """The type parameters of a function or a class (PEP 695)."""
    variables: dict[str, Any] = {}
    inner = Scope(scope, scope.module, variables)
    for parameter in getattr(node, "type_params", ()):
        kind = type(parameter).__name__
        if kind == "TypeVar":
            bound = None if parameter.bound is None else value_of(interpreter, parameter.bound, inner)
            is_bound = not isinstance(bound, Unknown | tuple)
            variables[parameter.name] = _TYPE_VARIABLE(parameter.name, bound=bound if is_bound else None)
        elif kind == "TypeVarTuple":
            variables[parameter.name] = _SEVERAL(parameter.name)
        elif kind == "ParamSpec":
            variables[parameter.name] = _PARAMETERS(parameter.name)
    return variables


def form_of(interpreter: Interpreter, annotation: ast.expr, scope: Scope, yields: bool = False) -> Any:
    """What an annotation says of arrays; None if it says nothing of them, or cannot be read."""
    return form_of_value(interpreter, value_of(interpreter, annotation, scope), scope, yields)


def form_of_value(interpreter: Interpreter, annotation: Any, scope: Scope, yields: bool = False) -> Any:
    """As `form_of`, of what an annotation stands for."""
    form = read(interpreter, annotation, scope, yields=yields)
    return form if contracts("reading").has_arrays(form) else None


def read(
    interpreter: Interpreter,
    annotation: Any,
    scope: Scope,
    objects: Callable[[type], Any] = lambda _: None,
    yields: bool = False,
) -> Any:
    """The form of an annotation; None if it cannot be read. `objects` gives that of a class, or None."""
    if isinstance(annotation, str):
        annotation = of_text(interpreter, annotation, scope)
    try:
        if yields:
            annotation = (typing.get_args(annotation) or (None,))[0]
        return contracts("reading").Reader(classes=False, unknown=Unknown, objects=objects).read(annotation)
    except (ConcretizationError, TypeError, ValueError, AttributeError):
        return None


def of_text(interpreter: Interpreter, text: str, scope: Scope) -> Any:
    """What an annotation stands for that is a text."""
    try:
        return value_of(interpreter, ast.parse(text.strip(), mode="eval").body, scope)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN


def value_of(interpreter: Interpreter, node: ast.expr, scope: Scope) -> Any:
    """What an expression gives that is not evaluated where the program stands."""
    with _aside(interpreter):
        try:
            return interpreter.value(node, scope)
        except Exhausted:
            raise
        except (RaisedException, Control, ConcretizationError):
            return UNKNOWN


@contextmanager
def _aside(interpreter: Interpreter) -> Iterator[None]:
    """What is walked within is no part of the program: nothing of it is reported."""
    node, notes = interpreter.node, dict(interpreter.diagnostics.notes)
    try:
        with interpreter.within(trying=True):
            yield
    finally:
        interpreter.node, interpreter.diagnostics.notes = node, notes
