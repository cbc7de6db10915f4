"""Comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..scopes import Scope
from ..values import arrays, heap
from ..values.fresh_dims import next_of
from ..values.joins import join_all
from ..values.unknowns import UNKNOWN, AbstractSequence
from .assignment import bind
from .sequences import items_of
from .tracing import decided

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Items that are made one by one.
MOST = 128


def outside(scope: Scope) -> Scope:
    """The scope that ``:=`` assigns in: not a comprehension's."""
    while scope.is_comprehension and scope.parent is not None:
        scope = scope.parent
    return scope


def walk(
    interpreter: Interpreter, generators: list[ast.comprehension], scope: Scope, give: Callable[[Scope], Any]
) -> tuple[list[Any], bool, bool]:
    """What `give` gives for each item, whether these are all, and whether there surely is one."""
    inner = Scope(scope, scope.module, is_comprehension=True)
    made: list[Any] = []
    whole = some = True

    def level(depth: int) -> None:
        nonlocal whole, some
        if depth == len(generators):
            made.append(give(inner))
            return
        generator = generators[depth]
        items = items_of(interpreter, interpreter.value(generator.iter, inner if depth else scope))
        listed = items.listed
        if listed is not None and len(listed) > MOST:
            whole, listed = False, [next_of(AbstractSequence(items.item, True))]
        elif listed is None:
            whole, some, listed = False, some and items.some, [next_of(items)]
        for item in listed:
            interpreter.budget.step()
            interpreter.frame.turns += 1
            seen = interpreter.observed.seen(scope.module.path, generator.target, item)
            bind(interpreter, generator.target, seen, inner)
            outcomes = [
                decided(interpreter, interpreter.value(test, inner), "if", test) for test in generator.ifs
            ]
            if False in outcomes:
                continue
            if None in outcomes:
                whole = some = False
            level(depth + 1)

    level(0)
    return made, whole, some and bool(made)


def of_list(interpreter: Interpreter, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Any:
    since = arrays.unknown_sizes()
    made, whole, some = walk(
        interpreter, node.generators, scope, lambda inner: interpreter.value(node.elt, inner)
    )
    if whole:
        return heap.made(made)
    return AbstractSequence(join_all(made) if made else UNKNOWN, some, since=since)


def of_set(interpreter: Interpreter, node: ast.SetComp, scope: Scope) -> Any:
    made, whole, some = walk(
        interpreter, node.generators, scope, lambda inner: interpreter.value(node.elt, inner)
    )
    if whole and not arrays.holds_unknown(made):
        return heap.made(set(made))
    return AbstractSequence(join_all(made) if made else UNKNOWN, some, set)


def of_dict(interpreter: Interpreter, node: ast.DictComp, scope: Scope) -> Any:
    def pair(inner: Scope) -> tuple[Any, Any]:
        return interpreter.value(node.key, inner), interpreter.value(node.value, inner)

    since = arrays.unknown_sizes()
    made, whole, some = walk(interpreter, node.generators, scope, pair)
    if not whole or any(arrays.holds_unknown(key) for key, _ in made):
        return AbstractSequence(join_all([item for _, item in made]) if made else UNKNOWN, some, dict, since)
    return heap.made(dict(made))
