"""Which names of a file are bound, and where a name that is bound once is used."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from jaxtyping_core.programs.syntax import children, kept

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


#: What binds a name.
Bound = ast.Name | ast.arg


@dataclass(eq=False)
class Scope:
    """A module, a class, a function or a comprehension, and what is bound in it: None stands for what is neither a name nor a parameter."""

    outer: Scope | None
    is_class: bool = False
    bound: defaultdict[str, list[Bound | None]] = field(default_factory=lambda: defaultdict(list))
    used: list[ast.Name] = field(default_factory=list)

    def find(self, name: str) -> Scope | None:
        """The scope that a name means here."""
        scope: Scope | None = self
        while scope is not None and (name not in scope.bound or (scope.is_class and scope is not self)):
            scope = scope.outer
        return scope


@dataclass(frozen=True)
class _Part:
    """The names of one statement of the top level: those of its own scopes, and those that it has from the module.

    Attributes:
        bound: what it binds in the module.
        once: the names that are bound where no other binds them, in its own scopes.
        uses: each name that is bound there, with all nodes that certainly mean what it is bound to.
        free: the names that it takes from the module.
    """

    bound: dict[str, list[Bound | None]]
    once: set[Bound]
    uses: dict[Bound, list[Bound]]
    free: list[ast.Name]


class Names:
    """The names of a file."""

    def __init__(self, tree: ast.Module) -> None:
        self._parts = [_part_of(statement) for statement in tree.body]
        self._bound: defaultdict[str, list[Bound | None]] = defaultdict(list)
        for part in self._parts:
            for name, nodes in part.bound.items():
                self._bound[name] += nodes

    @property
    def of_module(self) -> list[str]:
        """The names that the module binds."""
        return [*self._bound]

    @functools.cached_property
    def once(self) -> set[Bound]:
        """The names that are bound where no other binds them."""
        return _once(self._bound).union(*(part.once for part in self._parts))

    @functools.cached_property
    def uses(self) -> Mapping[Bound, list[Bound]]:
        """Each name that is bound, with all nodes that certainly mean what it is bound to, itself among them."""
        uses: dict[Bound, list[Bound]] = {
            name: [name] for names in self._bound.values() for name in names if name is not None
        }
        once = _once(self._bound)
        for part in self._parts:
            uses |= part.uses
            for name in part.free:
                bound = self._bound[name.id][0] if name.id in self._bound else None
                if bound in once:
                    uses[bound].append(name)
        return uses


def _once(bound: Mapping[str, list[Bound | None]]) -> set[Bound]:
    return {names[0] for names in bound.values() if len(names) == 1 and names[0] is not None}


@kept
def _part_of(statement: ast.stmt) -> _Part:
    """The names of a statement and of all scopes in it."""
    scopes: list[Scope] = []
    _visit_all(iter([statement]), Scope(None), scopes)
    module, *own = scopes
    every = (names for scope in own for names in scope.bound.values())
    uses: dict[Bound, list[Bound]] = {name: [name] for names in every for name in names if name is not None}
    once = set[Bound]().union(*(_once(scope.bound) for scope in own))
    free = [*module.used]
    for scope in own:
        for name in scope.used:
            owner = scope.find(name.id)
            if owner is None or owner is module:
                free.append(name)
            elif (bound := owner.bound[name.id][0]) in once:
                uses[bound].append(name)
    return _Part(dict(module.bound), once, uses, free)


def _visit_all(nodes: Iterator[ast.AST], scope: Scope, scopes: list[Scope]) -> None:
    scopes.append(scope)
    for node in nodes:
        _visit(node, scope, scopes)


def _visit(node: ast.AST, scope: Scope, scopes: list[Scope]) -> None:
    match node:
        case ast.Name(ctx=ast.Load()):
            scope.used.append(node)
        case ast.Name():
            scope.bound[node.id].append(node if isinstance(node.ctx, ast.Store) else None)
        case ast.arg(arg=name):
            scope.bound[name].append(node)
        case ast.alias(asname=str(name)) | ast.MatchAs(name=str(name)):
            scope.bound[name].append(None)
        case ast.alias(name=name):
            scope.bound[name.partition(".")[0]].append(None)
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            scope.bound[name].append(None)
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            _spoil(scope, names)
        case ast.NamedExpr(target=ast.Name(id=name)):  # in a comprehension it binds the name outside of it
            _spoil(scope, [name])
        case ast.AugAssign(target=ast.Name(id=name)):
            scope.bound[name].append(None)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        scope.bound[node.name].append(None)
    if isinstance(node, (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)):
        inner = Scope(scope, isinstance(node, ast.ClassDef))
        _visit_all(children(node), inner, scopes)
    else:
        for child in children(node):
            _visit(child, scope, scopes)


def _spoil(scope: Scope, names: list[str]) -> None:
    """Names that a function takes from outside, and binds there: nothing is certain of them in any scope."""
    at: Scope | None = scope
    while at is not None:
        for name in names:
            at.bound[name] += [None, None]
        at = at.outer
