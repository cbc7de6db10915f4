"""What a program asks of an array before it goes on: ``assert x.shape == (b, 3)``, ``if x.ndim == 2:``, ``chex.assert_rank(x, 2)``.

mypy narrows the type of a variable by few conditions, and asks no plugin. One of them is the call of a type guard. So each
such condition gets one that nobody has written, ``x.ndim == 2 and ascii(x)``, when a module has been parsed, and each call of
chex's an ``assert ascii(x)`` after it: what `x` is there, the hook of `ascii` says (`jaxtyping_core_mypy.narrowing_hook`). It then
holds as long as any narrowing of mypy's does: where the condition is true, and until `x` is assigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mypy.nodes import (
    ARG_POS,
    GDEF,
    AssertStmt,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    ComparisonExpr,
    Context,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IfStmt,
    Import,
    ImportBase,
    ImportFrom,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    StarExpr,
    Statement,
    TryStmt,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
    WithStmt,
)

from jaxtyping_core.overlays.chex import OVERLAY as CHEX

#: A function that takes anything, gives what has a truth, and is next to never called: the type guard.
GUARD = "ascii"
#: The attributes of arrays that are asked for.
ATTRIBUTES = ("shape", "ndim", "dtype")
#: The functions of Chex, by what they ask for.
OF_CHEX = {path.removeprefix(f"{CHEX.library}."): asks for path, asks in CHEX.checks.items()}


class Test(NamedTuple):
    """That some attribute of an array is what an expression says.

    Attributes:
        of: "shape", "ndim" or "dtype"; "axis" for the size of one axis; "like" where the expression is another array.
        array: the variable with the array.
        asking: the comparison, or the call.
        axis: the index of the axis.
    """

    of: str
    array: Expression
    expected: Expression
    asking: Expression
    axis: Expression | None = None


def mark(
    top: list[Statement], statements: Iterable[Statement], imports: Sequence[ImportBase], now: Any = None
) -> None:
    """Write the guards into a module.

    Args:
        top: the statements of the module.
        statements: those inside of them as well.
        imports: its imports.
        now: the checker that is at the module already, and the place where it is: names are to be bound then, and the
            condition that it is in is past changing.
    """
    statements = list(statements)
    if GUARD in _names_bound(statements, imports):  # it is another function here, or none
        return
    marking = _Marking(*(now or (None, None)))
    blocks = [top]
    for statement in statements:
        match statement:
            case Block():
                blocks.append(statement.body)
            case AssertStmt() | WhileStmt():
                statement.expr = marking.condition(statement.expr)
            case IfStmt():
                statement.expr[:] = map(marking.condition, statement.expr)
    chex = _asking_functions(imports)
    for block in blocks if chex else []:
        block[:] = marking.block(block, chex)


def tests_of(statements: Iterable[Statement], imports: Sequence[ImportBase]) -> dict[int, Test]:
    """The tests in a module, by the identity of the expression for the array, which its guard has as well."""
    chex = _asking_functions(imports)
    tests: list[Test] = []
    for statement in statements:
        match statement:
            case AssertStmt(expr=condition) | WhileStmt(expr=condition):
                tests += _in_condition(condition)
            case IfStmt(expr=conditions):
                tests += [test for condition in conditions for test in _in_condition(condition)]
            case ExpressionStmt(expr=CallExpr() as call) if chex:
                tests += _of_call(call, chex)
    return {id(test.array): test for test in tests}


class _Marking:
    def __init__(self, api: Any, now: Context | None) -> None:
        self._api = api
        self._now = now

    def condition(self, expr: Expression) -> Expression:
        """A condition with the guards in it."""
        if self._now is not None and expr.line <= self._now.line <= (expr.end_line or expr.line):
            return expr
        match expr:
            case OpExpr(op="and" | "or") if not _is_guard(expr.right):
                expr.left, expr.right = self.condition(expr.left), self.condition(expr.right)
            case UnaryExpr(op="not"):
                expr.expr = self.condition(expr.expr)
            case ComparisonExpr(operators=["!="]):
                equal = ComparisonExpr(["=="], expr.operands)
                marked = self.condition(_placed(equal, expr))
                return expr if marked is equal else _placed(UnaryExpr("not", marked), expr)
            case ComparisonExpr():
                whole: Expression = expr
                for test in _of_comparison(expr):
                    whole = _placed(OpExpr("and", whole, self._guard(test)), expr)
                return whole
        return expr

    def block(self, block: list[Statement], chex: dict[str, str]) -> list[Statement]:
        """The statements of a block, with an assertion after each call of chex's that says something of a variable."""
        marked: list[Statement] = []
        for number, statement in enumerate(block):
            marked.append(statement)
            if not isinstance(statement, ExpressionStmt) or not isinstance(statement.expr, CallExpr):
                continue
            following = block[number + 1] if number + 1 < len(block) else None
            if not (isinstance(following, AssertStmt) and _is_guard(following.expr)):
                for test in _of_call(statement.expr, chex):
                    marked.append(_placed(AssertStmt(self._guard(test), None), statement))
        return marked

    def _guard(self, test: Test) -> CallExpr:
        name = NameExpr(GUARD)
        if self._api is not None:
            name.kind, name.fullname = GDEF, f"builtins.{GUARD}"
            name.node = self._api.modules["builtins"].names[GUARD].node
        call = CallExpr(name, [test.array], [ARG_POS], [None])
        for new in (name, call):
            new.set_line(test.array)
        return call


def _placed(new: Any, old: Context) -> Any:
    new.set_line(old)
    return new


def _is_guard(expr: Expression) -> bool:
    return isinstance(expr, CallExpr) and isinstance(expr.callee, NameExpr) and expr.callee.name == GUARD


def _in_condition(expr: Expression) -> Iterator[Test]:
    match expr:
        case OpExpr(op="and" | "or"):
            yield from _in_condition(expr.left)
            yield from _in_condition(expr.right)
        case UnaryExpr(op="not"):
            yield from _in_condition(expr.expr)
        case ComparisonExpr():
            yield from _of_comparison(expr)


def _of_comparison(expr: ComparisonExpr) -> Iterator[Test]:
    """What ``x.shape == y.shape`` says of `x`, and of `y`."""
    if expr.operators != ["=="]:
        return
    left, right = expr.operands
    for asked, expected in ((left, right), (right, left)):
        match asked:
            case MemberExpr(name=name, expr=array) if name in ATTRIBUTES and _is_variable(array):
                yield Test(name, array, expected, expr)
            case IndexExpr(base=MemberExpr(name="shape", expr=array), index=axis) if _is_variable(array):
                yield Test("axis", array, expected, expr, axis)


def _of_call(call: CallExpr, chex: dict[str, str]) -> Iterator[Test]:
    """What a call of chex's says of each of the variables in it."""
    asks = chex.get(_dotted(call.callee))
    if asks is None or any(kind != ARG_POS for kind in call.arg_kinds):
        return
    inputs = call.args[0] if call.args else None
    arrays = inputs.items if isinstance(inputs, (ListExpr, TupleExpr)) else [inputs]
    if asks == "like":
        pairs = [(array, arrays[0]) for array in arrays[1:]] if len(call.args) == 1 else []
    elif len(call.args) != 2:
        pairs = []
    elif isinstance(call.args[1], ListExpr):
        pairs = list(zip(arrays, call.args[1].items, strict=False))
        pairs = pairs if len(arrays) == len(call.args[1].items) else []
    else:
        pairs = [(array, call.args[1]) for array in arrays]
    for array, expected in pairs:
        if array is not None and expected is not None and _is_variable(array):
            yield Test(asks, array, expected, call)


def _names_bound(statements: Iterable[Statement], imports: Sequence[ImportBase]) -> Iterator[str]:
    """The names that a module binds, anywhere in it."""
    for node in imports:
        match node:
            case Import(ids=pairs) | ImportFrom(names=pairs):
                yield from (new or name for name, new in pairs)
    for statement in statements:
        match statement:
            case FuncDef():
                yield from (statement.name, *(argument.variable.name for argument in statement.arguments))
            case ClassDef():
                yield statement.name
            case AssignmentStmt(lvalues=targets):
                yield from _names_in(targets)
            case ForStmt(index=target):
                yield from _names_in([target])
            case WithStmt(target=targets):
                yield from _names_in(target for target in targets if target is not None)
            case TryStmt(vars=targets):
                yield from _names_in(target for target in targets if target is not None)


def _names_in(targets: Iterable[Expression]) -> Iterator[str]:
    for target in targets:
        match target:
            case NameExpr():
                yield target.name
            case StarExpr(expr=inner):
                yield from _names_in([inner])
            case ListExpr(items=items) | TupleExpr(items=items):
                yield from _names_in(items)


def _asking_functions(imports: Sequence[ImportBase]) -> dict[str, str]:
    """The functions of chex as a module writes them, with what they ask for."""
    written: dict[str, str] = {}
    for node in imports:
        match node:
            case Import(ids=ids):
                modules = [name or module for module, name in ids if module == "chex"]
                written |= {f"{module}.{name}": asks for module in modules for name, asks in OF_CHEX.items()}
            case ImportFrom(id="chex", names=imported):
                written |= {name or got: OF_CHEX[got] for got, name in imported if got in OF_CHEX}
    return written


def _is_variable(expr: Expression) -> bool:
    """Whether mypy can narrow an expression: ``x``, ``self.x``."""
    while isinstance(expr, MemberExpr):
        expr = expr.expr
    return isinstance(expr, NameExpr)


def _dotted(expr: Expression) -> str:
    if isinstance(expr, MemberExpr):
        return f"{_dotted(expr.expr)}.{expr.name}"
    return expr.name if isinstance(expr, NameExpr) else ""
