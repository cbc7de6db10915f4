"""What may have flowed into an expression, by the names in the text of a program: more than what really has.

Names stand for all that is assigned to them anywhere, whatever their scopes are. So what is not found in the flow is not there.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from ..bindings import bindings

#: How often it is asked anew what functions may get of the calls of other names for them.
ROUNDS = 2


class TextFlow:
    """The names of a program, each with those that may have flowed into it.

    Args:
        trees: the modules of the program.
        is_sought: whether a node is what is looked for.
    """

    def __init__(self, trees: Iterable[ast.Module], is_sought: Callable[[ast.AST], bool]) -> None:
        self._is_sought = is_sought
        self._links: dict[str, set[str]] = defaultdict(set)
        #: The names that got something with what is looked for in it.
        self._marked: set[str] = set()
        self._parameters: dict[str, list[str]] = defaultdict(list)
        nodes = [node for tree in trees for node in ast.walk(tree)]
        for node in nodes:
            for name, source in _bindings(node):
                self._bind([name], source)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                arguments = node.args
                every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                self._parameters[node.name] += [each.arg for each in every]
        self._of_calls([node for node in nodes if isinstance(node, ast.Call) and node.args])

    def has(self, expression: ast.AST) -> bool:
        """Whether what is looked for is in an expression, or in what may have flowed into it."""
        names = {name for node in ast.walk(expression) for name in names_of(node)}
        return any(map(self._is_sought, ast.walk(expression))) or not self._marked.isdisjoint(
            self._reached(names)
        )

    def _bind(self, names: Iterable[str], source: ast.AST) -> None:
        nodes = [*ast.walk(source)]
        links = {name for node in nodes for name in names_of(node)}
        is_marked = any(map(self._is_sought, nodes))
        for name in names:
            self._links[name] |= links
            if is_marked:
                self._marked.add(name)

    def _of_calls(self, calls: Sequence[ast.Call]) -> None:
        """What the parameters of functions get, also where these have other names, or are parameters themselves."""
        called = [_names_called(call) for call in calls]
        for _ in range(ROUNDS):
            functions: dict[str, set[str]] = {}
            for name in set().union(*called):
                functions[name] = self._reached({name}, self._parameters) & self._parameters.keys()
            for call, names in zip(calls, called, strict=True):
                each = set().union(*(functions[name] for name in names))
                parameters = {parameter for name in each for parameter in self._parameters[name]}
                if parameters:
                    for argument in call.args:
                        self._bind(parameters, argument)

    def _reached(self, names: Iterable[str], apart: Container[str] = ()) -> set[str]:
        """What may have flowed into names, but for what flowed into those that are `apart`."""
        todo, seen = [*names], set(names)
        while todo:
            name = todo.pop()
            more = set() if name in apart else self._links.get(name, set()) - seen
            seen |= more
            todo += more
        return seen


def _names_called(call: ast.Call) -> set[str]:
    """What a call calls, or passes to what it calls: `step` in ``jax.grad(step)(x)`` and in ``lax.scan(step, 0, xs)``."""
    passed = [argument for argument in call.args if isinstance(argument, (ast.Name, ast.Attribute))]
    return {name for part in (*ast.walk(call.func), *passed) for name in names_of(part)}


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names that a node gives something to, each with that."""
    for target, source in bindings(node):
        yield from _targets(target, source)
    match node:
        case ast.FunctionDef(name=name, body=body) | ast.AsyncFunctionDef(name=name, body=body):
            yield from ((name, part) for part in (*body, *node.decorator_list))
        case ast.ClassDef(name=name, body=body):
            yield from ((name, part) for part in body)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.Call(keywords=keywords):
            yield from ((keyword.arg, keyword.value) for keyword in keywords if keyword.arg)


def _targets(target: ast.AST, value: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _targets(part, value)
        return
    if isinstance(target, ast.Starred):
        yield from _targets(target.value, value)
        return
    for name in names_of(target):
        yield name, value
    if isinstance(target, ast.Subscript):
        yield from ((name, value) for within in ast.walk(target) for name in names_of(within))


def names_of(node: ast.AST) -> Iterator[str]:
    """The name that a node is, if it is one: of a variable, an attribute, or a key."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Constant(value=str(name)):
            yield name


def imported(tree: ast.Module) -> set[str]:
    """The last parts of the names of all that a module may import."""
    parts: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            parts.update(part for name in names for part in name.split("."))
    return parts
