"""Which names of a file are bound, and where a name that is bound once is used."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from jaxtyping_core.programs.syntax import children

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
class Names:
    """The names of a file."""

    scopes: list[Scope]

    @property
    def of_module(self) -> list[str]:
        """The names that the module binds."""
        return [*self.scopes[0].bound]

    @property
    def once(self) -> set[Bound]:
        """The names that are bound where no other binds them."""
        every = (names for scope in self.scopes for names in scope.bound.values())
        return {names[0] for names in every if len(names) == 1 and names[0] is not None}

    def uses(self) -> dict[Bound, list[Bound]]:
        """Each name that is bound, with all nodes that certainly mean what it is bound to, itself among them."""
        every = (names for scope in self.scopes for names in scope.bound.values())
        uses: dict[Bound, list[Bound]] = {
            name: [name] for names in every for name in names if name is not None
        }
        once = self.once
        for scope in self.scopes:
            for name in scope.used:
                owner = scope.find(name.id)
                bound = None if owner is None else owner.bound[name.id][0]
                if bound is not None and bound in once:
                    uses[bound].append(name)
        return uses


def names_of(tree: ast.Module) -> Names:
    """The names of a module and of all scopes in it."""
    scopes: list[Scope] = []
    _visit_all(children(tree), Scope(None), scopes)
    return Names(scopes)


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
