"""The functions of a file of source, as its syntax tree has them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from jaxtyping_core.programs.syntax import first_line
from jaxtyping_core.recording.observed import Function
from jaxtyping_core.recording.store import Place

LAMBDA = "<lambda>"
MODULE = "<module>"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
#: Methods after which an instance has its attributes, however they were set.
MAKERS = ("__init__", "__post_init__", "setup")


@dataclass(frozen=True, slots=True)
class Definition:
    """A function's definition.

    `first` is the line that Python gives its code, that of the first decorator; `parameters` are in the order of the
    signature, with the places that their variables have in the code. `owner` is the class of a method, and `stores` are
    the attributes of its first parameter that the body sets. `places` are the assignments to names that the body binds but
    once, so that they hold at its end what was assigned.
    """

    function: Function
    first: int
    parameters: tuple[tuple[str, int], ...]
    owner: str | None = None
    stores: frozenset[str] = frozenset()
    places: tuple[Place, ...] = ()

    @property
    def makes(self) -> bool:
        """Whether an instance has its attributes after it."""
        return self.owner is not None and self.function.qualname.rpartition(".")[2] in MAKERS


def definitions(tree: ast.AST) -> Iterator[Definition]:
    """All functions in a syntax tree, nested ones and lambdas too, in no order."""
    return _below(tree, "", None)


def of_module(tree: ast.Module) -> Definition:
    """The body of a file, as if it were a function: the names that it binds but once are its places."""
    return Definition(Function(MODULE, 1), 1, (), places=tuple(_places(tree, set())))


def _below(node: ast.AST, prefix: str, owner: str | None) -> Iterator[Definition]:
    """The functions below a node; `prefix` is what their names begin with, and `owner` the class around them."""
    for child in ast.iter_child_nodes(node):
        yield from _at(child, prefix, owner)


def _at(node: ast.AST, prefix: str, owner: str | None) -> Iterator[Definition]:
    """The function that a node is, if it is one, and those below it."""
    if isinstance(node, _FUNCTIONS):
        name = prefix + (LAMBDA if isinstance(node, ast.Lambda) else node.name)
        yield _definition(node, name, owner)
        yield from _scope(node, prefix, f"{name}.<locals>.", None)
    elif isinstance(node, ast.ClassDef):
        yield from _scope(node, prefix, f"{prefix}{node.name}.", prefix + node.name)
    elif isinstance(node, ast.GeneratorExp):
        yield from _of_generator(node, prefix, owner)
    else:
        yield from _below(node, prefix, owner)


def _of_generator(node: ast.GeneratorExp, prefix: str, owner: str | None) -> Iterator[Definition]:
    """The functions in a generator expression; what it goes over first is evaluated outside of it."""
    inside = f"{prefix}<genexpr>."
    yield from _at(node.elt, inside, None)
    for generator in node.generators:
        for child in ast.iter_child_nodes(generator):
            if child is node.generators[0].iter:
                yield from _at(child, prefix, owner)
            else:
                yield from _at(child, inside, None)


def _scope(scope: ast.AST, outside: str, inside: str, owner: str | None) -> Iterator[Definition]:
    """The functions in the body of a scope, and those in its defaults, bases and decorators, which are outside of it."""
    for name, value in ast.iter_fields(scope):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _at(part, inside, owner) if name == "body" else _at(part, outside, None)


def _definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str, owner: str | None
) -> Definition:
    parameters = _parameters(node.args)
    if isinstance(node, ast.Lambda):
        return Definition(Function(name, node.lineno), node.lineno, parameters)
    first = first_line(node)
    is_method = owner is not None and bool(node.args.posonlyargs or node.args.args)
    stores = frozenset(_stores(node, parameters[0][0]) if is_method else ())
    places = tuple(_places(node, {name for name, _ in parameters}))
    return Definition(
        Function(name, node.lineno), first, parameters, owner if is_method else None, stores, places
    )


def _parameters(arguments: ast.arguments) -> tuple[tuple[str, int], ...]:
    """Parameters in their order; in the code, those with a star come last."""
    plain, named = [*arguments.posonlyargs, *arguments.args], arguments.kwonlyargs
    places = {id(node): place for place, node in enumerate([*plain, *named])}
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            places[id(star)] = len(places)
    order = [
        *plain,
        *([arguments.vararg] if arguments.vararg else []),
        *named,
        *([arguments.kwarg] if arguments.kwarg else []),
    ]
    return tuple((node.arg, places[id(node)]) for node in order)


def _stores(scope: ast.AST, name: str) -> Iterator[str]:
    """The attributes of the variable `name` that a body sets."""
    for node in ast.iter_child_nodes(scope):
        match node:
            case ast.Attribute(ast.Name(variable), attribute, ast.Store()) if variable == name:
                yield attribute
        if not isinstance(node, _SCOPES):
            yield from _stores(node, name)


def _places(
    scope: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module, parameters: set[str]
) -> Iterator[Place]:
    """The assignments to names that are bound nowhere else, and but once, outside of loops."""
    bound = Counter(parameters)
    places: list[Place] = []
    own = [node for statement in scope.body for node in _own(statement)]
    repeated = {id(node) for loop in own if isinstance(loop, _LOOPS) for node in ast.walk(loop)}
    for node in own:
        match node:
            case ast.Name(name, ast.Store()):
                places += [Place(node.lineno, node.col_offset, name)] * (id(node) not in repeated)
                bound[name] += 1
            case ast.AnnAssign(ast.Name(name), value=None):
                bound[name] += 1
            case ast.Name(name, ast.Del()) | ast.AugAssign(ast.Name(name)):
                bound[name] += 2
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                bound[name] += 1
            case ast.alias(name, other):
                bound[other or name.partition(".")[0]] += 1
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)):
                bound[name] += 2
    if "*" in bound:  # what a star import binds is not known
        return
    for node in ast.walk(scope):  # functions inside may bind a name of this one
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            bound.update(node.names * 2)
    yield from (place for place in places if bound[place.name] == 1)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it that are in the same scope."""
    yield node
    if not isinstance(node, (*_SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        for child in ast.iter_child_nodes(node):
            yield from _own(child)
