"""The functions that a module passes to its own functions: what a parameter that is one is tried with."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from jaxtyping_core.declarations.forms import Constants, Parameter, Signature, Unknown
from jaxtyping_core.declarations.reading import FUNCTION

#: Functions that are tried for one parameter at most.
MOST = 3


class Passed:
    """What the calls in a module pass."""

    def __init__(self, module: ModuleType) -> None:
        self._names = vars(module)
        self._file = module.__file__
        self._calls: dict[str, list[ast.Call]] | None = None

    def filled(self, name: str, signature: Signature) -> Signature | None:
        """A signature with the functions that calls of `name` pass; None where it takes none, or none is known."""
        wanted = [p for p in signature.parameters if p.form == Unknown(FUNCTION) and not p.has_default]
        passed = {p.name: self._functions(name, signature.parameters, p) for p in wanted if not p.stars}
        if not wanted or not all(passed.get(p.name) for p in wanted):
            return None
        parameters = tuple(
            dataclasses.replace(p, form=Constants(passed[p.name])) if p.name in passed else p
            for p in signature.parameters
        )
        return dataclasses.replace(signature, parameters=parameters)

    def _functions(self, name: str, parameters: Sequence[Parameter], wanted: Parameter) -> tuple[Any, ...]:
        functions: list[Any] = []
        for call in self._calls_of(name):
            argument = _argument(call, parameters, wanted)
            value = None if argument is None else self._value(argument)
            if callable(value) and not any(value is function for function in functions):
                functions.append(value)
        return tuple(functions[:MOST])

    def _calls_of(self, name: str) -> list[ast.Call]:
        if self._calls is None:
            self._calls = {}
            for node in _walk(self._file):
                match node:
                    case ast.Call(func=ast.Name(id=called)):
                        self._calls.setdefault(called, []).append(node)
        return self._calls.get(name, [])

    def _value(self, node: ast.expr) -> Any:
        """What an argument is: a name of the module, an attribute of one, or a lambda; None for anything else."""
        match node:
            case ast.Name(id=name):
                return self._names.get(name)
            case ast.Attribute(value=owner, attr=name):
                return getattr(self._value(owner), name, None)
            case ast.Lambda():
                code = compile(ast.Expression(node), self._file or "<lambda>", "eval")
                return eval(code, self._names)  # makes the function, and calls nothing
        return None


def _walk(file: str | None) -> Iterator[ast.AST]:
    try:
        return ast.walk(ast.parse(Path(file or "").read_bytes()))
    except (OSError, SyntaxError, ValueError):
        return iter(())


def _argument(call: ast.Call, parameters: Sequence[Parameter], wanted: Parameter) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == wanted.name:
            return keyword.value
    at = (
        [p.name for p in parameters if not p.keyword and not p.stars].index(wanted.name)
        if not wanted.keyword
        else -1
    )
    before = call.args[: at + 1]
    is_plain = at >= 0 and len(before) > at and not any(isinstance(arg, ast.Starred) for arg in before)
    return call.args[at] if is_plain else None
