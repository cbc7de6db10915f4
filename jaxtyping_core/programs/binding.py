"""How often statements bind names."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable


def bound(body: Iterable[ast.stmt]) -> Counter[str]:
    """How often statements bind names, on the way on which they do so most often."""
    total: Counter[str] = Counter()
    for statement in body:
        total += _bound_by(statement)
    return total


def _bound_by(statement: ast.stmt) -> Counter[str]:
    match statement:
        case ast.Import() | ast.ImportFrom():
            return Counter({alias.asname or alias.name.partition(".")[0] for alias in statement.names})
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return Counter({statement.name})
        case ast.If():
            return _stored(statement.test) + (bound(statement.body) | bound(statement.orelse))
        case ast.For() | ast.AsyncFor() | ast.While():
            head = _stored(statement.test if isinstance(statement, ast.While) else statement.target)
            rounds = bound(statement.body) + head
            return rounds + rounds + bound(statement.orelse)
        case ast.With() | ast.AsyncWith():
            heads = [_stored(item.optional_vars) for item in statement.items if item.optional_vars]
            return sum(heads, Counter()) + bound(statement.body)
        case ast.Try() | ast.TryStar():
            handlers: Counter[str] = Counter()
            for handler in statement.handlers:
                handlers |= bound(handler.body)
            whole = bound(statement.body) + bound(statement.orelse)
            only_imports = all(isinstance(inner, (ast.Import, ast.ImportFrom)) for inner in statement.body)
            ways = whole | handlers if only_imports else whole + handlers
            return ways + bound(statement.finalbody)
        case ast.Match():
            cases: Counter[str] = Counter()
            for case in statement.cases:
                cases |= _stored(case.pattern) + bound(case.body)
            return cases
        case ast.AnnAssign(value=None):
            return Counter()
        case ast.Delete():
            names = _stored(statement)
            return names + names
    return _stored(statement)


def _stored(node: ast.AST) -> Counter[str]:
    """The names that the expressions in a node bind; a walrus in a comprehension, which does so often, counts twice."""
    counts: Counter[str] = Counter()
    inner = [part.target for part in ast.walk(node) if isinstance(part, ast.comprehension)]
    own = {id(part) for target in inner for part in ast.walk(target)}  # no names of the scope around
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and id(part) not in own:
            counts[part.id] += 1
        elif isinstance(part, ast.NamedExpr) and isinstance(part.target, ast.Name):
            counts[part.target.id] += 1
        elif isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name:
            counts[part.name] += 1
        elif isinstance(part, ast.MatchMapping) and part.rest:
            counts[part.rest] += 1
    return counts
