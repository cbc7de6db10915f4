"""Puts probes into a file: at calls, attributes and items, and at what loops and contexts give.

A probe passes its value on. So the program computes what it does without them, and every node stays where it was. The probes are
constants of the code: no module has a name more.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from jaxtyping_core.programs.sites import Span, span_of
from jaxtyping_core.recording import probes

#: The probes, by the texts that stand for them until the code is made: no program has such.
PROBES: Mapping[str, Callable[[int, Any], Any]] = {
    f"\0jaxtyping-core {probe.__name__}": probe
    for probe in (probes.value, probes.owner, probes.argument, probes.item)
}
VALUE, OWNER, ARGUMENT, ITEM = PROBES
#: Calls that look at the frame which makes them, or that Python's compiler knows.
LEFT_ALONE = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
#: Packages that compile the bytecode of functions themselves.
COMPILERS = frozenset({"numba", "triton", "taichi", "warp"})
#: Arguments of a call that are looked at.
MOST_ARGUMENTS = 3


@dataclass(frozen=True, slots=True)
class Probe:
    """A place that is recorded; `via` is the number of the call that makes what a loop goes over."""

    span: Span
    via: int | None = None


class Instrument(ast.NodeTransformer):
    """Puts probes into a tree; `probes` are their places, numbered from `first` on."""

    def __init__(self, first: int, with_functions: bool = True) -> None:
        self._first, self._with_functions = first, with_functions
        self.probes: list[Probe] = []

    # What is left as it is

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if self._with_functions:
            first = 1 if ast.get_docstring(node, clean=False) is not None else 0
            at = node.body[min(first, len(node.body) - 1)]
            seen = [self._parameter(arg, at) for arg in parameters_of(node.args)]
            node.body = [self.visit(statement) for statement in node.body]
            node.body[first:first] = seen
        return node

    def _parameter(self, arg: ast.arg, at: ast.stmt) -> ast.stmt:
        """A statement that reads a parameter, in the line of another one: a debugger stops there once."""
        where = ast.copy_location(ast.Name(arg.arg, ast.Load()), at)
        where.end_lineno, where.end_col_offset = at.lineno, at.col_offset
        return ast.copy_location(ast.Expr(_probed(VALUE, self._probe(arg), where)), where)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self.generic_visit(node) if self._with_functions else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.target = self.visit(node.target)
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # Python 3.11 does not know where its parts are

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        return node

    # Expressions

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in LEFT_ALONE:
            return self.generic_visit(node)
        number = self._probe(node)
        func = node.func
        if isinstance(func, ast.Attribute):
            func.value = self.visit(func.value)
        else:
            func = self.visit(func)
        node.func = _probed(OWNER, number, func)
        node.args = [self._argument(number, i, each) for i, each in enumerate(node.args)]
        node.keywords = [self.visit(each) for each in node.keywords]
        return _probed(VALUE, number, node)

    def _argument(self, number: int, position: int, node: ast.expr) -> ast.expr:
        is_looked_at = position < MOST_ARGUMENTS and not isinstance(
            node, (ast.Constant, ast.Starred, ast.Lambda)
        )
        visited: ast.expr = self.visit(node)
        return _probed(ARGUMENT, number, visited) if is_looked_at else visited

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._part(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self._part(node)

    def _part(self, node: ast.Attribute | ast.Subscript) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        number = self._probe(node)
        self.generic_visit(node)
        node.value = _probed(OWNER, number, node.value)
        return _probed(VALUE, number, node)

    # What is bound

    def visit_For(self, node: ast.For) -> ast.AST:
        number = self._target(node.target, node.iter)
        self.generic_visit(node)
        if number is not None:
            node.iter = _probed(OWNER, number, node.iter)
            node.body.insert(0, _seen(number, node.target))
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        numbers = [
            None if item.optional_vars is None else self._target(item.optional_vars) for item in node.items
        ]
        self.generic_visit(node)
        seen = []
        for item, number in zip(node.items, numbers, strict=True):
            if number is not None and item.optional_vars is not None:
                item.context_expr = _probed(OWNER, number, item.context_expr)
                seen.append(_seen(number, item.optional_vars))
        node.body[:0] = seen
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        number = self._target(node.target, node.iter)
        self.generic_visit(node)
        if number is not None and not node.is_async:
            node.iter = _probed(OWNER, number, node.iter)
            node.ifs.insert(0, _probed(ITEM, number, _loaded(node.target)))
        return node

    def _target(self, target: ast.expr, source: ast.expr | None = None) -> int | None:
        """The number of the probe of a target; None for one that is not looked at. `source` is what a loop goes over."""
        if not _is_plain(target):
            return None
        # A call that stands there gets the next number.
        via = self._first + len(self.probes) + 1 if isinstance(source, ast.Call) else None
        return self._probe(target, via)

    def _probe(self, node: ast.expr | ast.arg, via: int | None = None) -> int:
        self.probes.append(Probe(span_of(node), via))
        return self._first + len(self.probes) - 1


def compiled(text: bytes, file: str, first: int) -> tuple[CodeType, list[Probe]]:
    """The code of a file with probes, which are numbered from `first` on.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: there is none.
    """
    tree = ast.parse(text)
    instrument = Instrument(first, not compiles_functions(tree))
    made = ast.fix_missing_locations(instrument.visit(tree))
    return _with_probes(compile(made, file, "exec", dont_inherit=True)), instrument.probes


def _with_probes(code: CodeType) -> CodeType:
    """Code with probes in place of the texts that stand for them."""
    constants = [
        _with_probes(each)
        if isinstance(each, CodeType)
        else PROBES.get(each, each)
        if type(each) is str
        else each
        for each in code.co_consts
    ]
    return code.replace(co_consts=(*constants,))


def compiles_functions(tree: ast.Module) -> bool:
    """Whether a file imports a package that compiles the bytecode of functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if any(each.name.partition(".")[0] in COMPILERS for each in names):
                return True
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in COMPILERS:
                return True
    return False


def parameters_of(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters of a function but for those that take any number of arguments, and for `self` and `cls`."""
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [arg for arg in plain if arg.arg not in ("self", "cls")]


def _is_plain(target: ast.expr) -> bool:
    """Whether reading a target does nothing but read variables."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(map(_is_plain, target.elts))
    return isinstance(target, ast.Name)


def _probed(probe: str, number: int, node: ast.expr) -> ast.Call:
    # Python warns of a call of a text, but not of one of two.
    function = ast.BoolOp(ast.Or(), [ast.Constant(probe), ast.Constant(probe)])
    called = ast.Call(function, [ast.Constant(number), node], [])
    for each in (called, function, *function.values, called.args[0]):
        ast.copy_location(each, node)
    return called


def _seen(number: int, target: ast.expr) -> ast.stmt:
    """A statement that reads a target."""
    return ast.copy_location(ast.Expr(_probed(VALUE, number, _loaded(target))), target)


def _loaded(target: ast.expr) -> ast.expr:
    """A target as an expression that gives what was assigned."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return ast.copy_location(ast.Tuple([*map(_loaded, target.elts)], ast.Load()), target)
    assert isinstance(target, ast.Name)
    return ast.copy_location(ast.Name(target.id, ast.Load()), target)
