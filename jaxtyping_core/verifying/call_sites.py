"""The functions and texts that a module passes to its own functions: what a parameter that is one is tried with."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from jaxtyping_core.contracts.forms import Constants, Form, Parameter, Signature, Unknown
from jaxtyping_core.contracts.reading import FUNCTION, TEXT
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.sampling.tables.limits import MOST_PASSED

#: What a parameter is given by a call, where annotations do not tell: by why nothing can be made for it.
FITS: Mapping[str, Callable[[Any], bool]] = {
    FUNCTION: callable,
    TEXT: lambda value: isinstance(value, str),
}
#: How far a function is followed that callers were given themselves.
FARTHEST = 4


def _reason(form: Form) -> str:
    """Why nothing can be made for a form."""
    return form.reason if isinstance(form, Unknown) else ""


class _Called(NamedTuple):
    """A call, and the function that it is in; None at the top of the module."""

    call: ast.Call
    caller: ast.FunctionDef | None


class Passed:
    """What the calls in a module pass."""

    def __init__(self, module: ModuleType) -> None:
        self._names = vars(module)
        self._file = module.__file__
        self._tree: _Tree | None = None

    def filled(self, name: str, signature: Signature) -> Signature | None:
        """A signature with the functions and texts that calls of `name` pass; None where it takes none, or none is known."""
        wanted = [p for p in signature.parameters if _reason(p.form) in FITS and not p.has_default]
        positional = [p.name for p in signature.parameters if not p.keyword and not p.stars]
        passed = {p.name: self._passed(name, positional, p)[:MOST_PASSED] for p in wanted if not p.stars}
        if not wanted or not all(passed.get(p.name) for p in wanted):
            return None
        parameters = tuple(
            dataclasses.replace(p, form=Constants(passed[p.name])) if p.name in passed else p
            for p in signature.parameters
        )
        return dataclasses.replace(signature, parameters=parameters)

    def _passed(self, name: str, positional: Sequence[str], parameter: Parameter) -> tuple[Any, ...]:
        """What is given for a parameter; of a text also what the function compares it with."""
        values = self._given(name, positional, parameter.name)
        if _reason(parameter.form) == TEXT and self._tree is not None:
            values += self._tree.compared.get((name, parameter.name), ())
        fitting = FITS[_reason(parameter.form)]
        return tuple(value for value in _once(values) if fitting(value))

    def _given(self, name: str, positional: Sequence[str], wanted: str, depth: int = 0) -> tuple[Any, ...]:
        """What is given for the parameter `wanted` of the function `name`."""
        values: list[Any] = []
        for call, caller in self._calls_of(name):
            argument = _argument(call, positional, wanted)
            values += self._values(argument, caller, depth) if argument is not None else ()
        return tuple(values)

    def _calls_of(self, name: str) -> list[_Called]:
        if self._tree is None:
            self._tree = _Tree(self._file)
        return self._tree.calls.get(name, [])

    def _values(self, node: ast.expr, caller: ast.FunctionDef | None, depth: int) -> Iterable[Any]:
        """What an argument is; if the caller has it as a parameter, what is given for that."""
        if not isinstance(node, ast.Name) or caller is None or self._tree is None:
            return (self._value(node),)
        arguments = caller.args
        positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        if node.id in (*positional, *(argument.arg for argument in arguments.kwonlyargs)):
            deeper = depth < FARTHEST
            passed = self._given(caller.name, positional, node.id, depth + 1) if deeper else ()
            return (*passed, *map(self._value, _defaults(caller, node.id)))
        return map(self._value, self._tree.bound.get((caller, node.id), [node]))

    def _value(self, node: ast.expr) -> Any:
        """What an argument is: a name of the module, an attribute of one, a text or a lambda; None for anything else."""
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name):
                return self._names.get(name)
            case ast.Attribute(value=owner, attr=name):
                return getattr(self._value(owner), name, None)
            case ast.Lambda():
                code = compile(ast.Expression(node), self._file or "<lambda>", "eval")
                return eval(code, self._names)  # makes the function, and calls nothing
        return None


class _Tree:
    """The calls in a module, by the name that is called, and what names of its functions are bound to."""

    def __init__(self, file: str | None) -> None:
        self.calls: dict[str, list[_Called]] = {}
        self.bound: dict[tuple[ast.FunctionDef, str], list[ast.expr]] = {}
        #: The texts that names are compared with, by the name of the function.
        self.compared: dict[tuple[str, str], tuple[str, ...]] = {}
        waiting: list[tuple[ast.AST, ast.FunctionDef | None]] = []
        with contextlib.suppress(OSError, SyntaxError, ValueError):
            waiting.append((ast.parse(read_bytes(Path(file or ""))), None))
        while waiting:
            node, caller = waiting.pop(0)
            self._note(node, caller)
            inside = node if isinstance(node, ast.FunctionDef) else caller
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]

    def _note(self, node: ast.AST, caller: ast.FunctionDef | None) -> None:
        match node:
            case ast.Call(
                func=ast.Name(id=name) | ast.Call(args=[ast.Name(id=name), *_])
            ):  # or jax.grad(f)(...)
                self.calls.setdefault(name, []).append(_Called(node, caller))
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=values) | ast.List(elts=values)) if (
                caller
            ):
                self.bound.setdefault((caller, name), []).extend(values)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if caller:
                self.bound.setdefault((caller, name), []).append(value)
            case (
                ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()])
                | ast.Match(subject=ast.Name(id=name))
            ) if caller:
                inside = (
                    [node.comparators[0]]
                    if isinstance(node, ast.Compare)
                    else [c.pattern for c in node.cases]
                )
                key = (caller.name, name)
                self.compared[key] = self.compared.get(key, ()) + tuple(_texts(inside))


def _texts(nodes: Iterable[ast.AST]) -> Iterable[str]:
    """The texts that are written in some places."""
    parts = [part for node in nodes for part in ast.walk(node)]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _defaults(function: ast.FunctionDef, name: str) -> list[ast.expr]:
    """The default of a parameter, if it has one."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = [
        *zip(with_default, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return [default for argument, default in pairs if argument.arg == name and default is not None]


def _once(values: Iterable[Any]) -> Iterable[Any]:
    """The values, each once."""
    kept: list[Any] = []
    for value in values:
        if not any(value is each or (isinstance(value, str) and value == each) for each in kept):
            kept.append(value)
    return kept


def _argument(call: ast.Call, positional: Sequence[str], wanted: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == wanted:
            return keyword.value
    at = positional.index(wanted) if wanted in positional else -1
    before = call.args[: at + 1]
    is_plain = at >= 0 and len(before) > at and not any(isinstance(arg, ast.Starred) for arg in before)
    return call.args[at] if is_plain else None
