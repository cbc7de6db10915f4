"""Calls of functions that the program does not call, with arguments that are known: those that pass nothing, and those of test runners."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..identity import identity
from .language import assumptions
from .language.declarations import parameters
from .values.callables import Function

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: Cases of one test that are looked at, and fixtures that are made of others.
MOST_CASES, DEEPEST_FIXTURE = 6, 3
#: The names of functions that runners call, and marks of those that they leave out.
TEST, LEFT_OUT = re.compile("test"), re.compile("skip|xfail|expectedFailure")
#: The names of functions that runners call around tests, and what in them changes how JAX computes.
AROUND, SETTING = re.compile("(?i)set_?up|autouse"), re.compile(r"config\.|enable_x64|promotion")


class Cases:
    """What test runners pass to functions of the program, as the decorators of these say.

    Attributes:
        fixtures: the functions that give what a test of a module has as its parameter, by the file and this name.
    """

    def __init__(self) -> None:
        self.fixtures: dict[tuple[str, str], Any] = {}
        self._by_function: dict[int, list[Mapping[str, Any]]] = {}

    def add(self, function: Function, cases: Iterable[Mapping[str, Any]]) -> None:
        """A runner calls a function with each of these arguments, together with each of those that were added before."""
        before = self._by_function.get(identity(function.node), [{}])
        every: list[Mapping[str, Any]] = [{**earlier, **case} for case in cases for earlier in before]
        self._by_function[identity(function.node)] = every[:MOST_CASES]

    def of(self, interpreter: Interpreter, function: Function) -> Sequence[Mapping[str, Any]]:
        """What is known of the arguments of each of some calls of a function that runners make, or that pass nothing.

        A decorator that is not known may catch errors, or pass something; so nothing is known of its function.
        """
        if not (_runs_its_body(function) and assumptions.is_at_top_level(function)):
            return ()
        cases = self._by_function.get(identity(function.node))
        if cases is None:
            is_run = TEST.match(function.name) or not _own_parameters(function)
            cases = [{}] if is_run else []
        return (
            cases
            if cases and _is_as_written(interpreter, function) and not _is_left_out(interpreter, function)
            else ()
        )

    def with_fixtures(
        self, interpreter: Interpreter, function: Function, case: Mapping[str, Any], depth: int = 0
    ) -> dict[str, Any]:
        """The arguments of a case, and what fixtures give for other parameters."""
        arguments = dict(case)
        for name in _own_parameters(function):
            fixture = self.fixtures.get((function.scope.module.path, name))
            made = interpreter.functions.get(identity(fixture))
            if name in arguments or made is None or not _runs_its_body(made) or depth == DEEPEST_FIXTURE:
                continue
            asked = self.with_fixtures(interpreter, made, {}, depth + 1)
            if {*_own_parameters(made)} <= asked.keys():
                arguments[name] = interpreter.call(fixture, [], asked)
        return arguments


def _runs_its_body(function: Function) -> bool:
    """Whether a call of a function runs its body."""
    return isinstance(function.node, ast.FunctionDef) and not function.is_generator


def _is_as_written(interpreter: Interpreter, function: Function) -> bool:
    """Whether the name of a function has it, or what ``jax.jit`` and the like have made of it."""
    value = function.scope.variables.get(function.name)
    made = interpreter.made.get(identity(value))
    return interpreter.functions.get(identity(value if made is None else made.function)) is function


def _is_left_out(interpreter: Interpreter, function: Function) -> bool:
    """Whether runners leave out the class or the module of a function, expect that it fails, or set options of JAX around it."""
    path = function.scope.module.path
    statements = next(tree for file, tree, _ in interpreter.texts.values() if file == path).body
    around, marks = list[ast.stmt](statements), list[ast.AST]()
    for statement in statements:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "pytestmark":
            marks.append(statement.value)
        if isinstance(statement, ast.ClassDef) and function.node in statement.body:
            marks += statement.decorator_list
            around += statement.body
    return any(LEFT_OUT.search(ast.unparse(mark)) for mark in marks) or any(map(_sets_options, around))


def _sets_options(statement: ast.stmt) -> bool:
    """Whether a statement defines a function that runners call around tests, and that changes how JAX computes."""
    if not isinstance(statement, ast.FunctionDef):
        return False
    head = " ".join([statement.name, *map(ast.unparse, statement.decorator_list)])
    return bool(AROUND.search(head) and SETTING.search(ast.unparse(statement)))


def _own_parameters(function: Function) -> list[str]:
    """The names of the parameters of a function, without the object that it is a method of."""
    names = [arg.arg for arg in parameters(function.node)]
    return names[1:] if function.scope.of_class else names
