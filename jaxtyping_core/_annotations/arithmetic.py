"""Arithmetic of sizes: expressions that are equal whatever their names stand for have one normal form."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Mapping

#: A product of names, and of what is no polynomial (``floordiv(n + 1, 2)``), each as often as it is a factor.
Product = tuple[str, ...]
#: Products with how often each is added.
Sum = dict[Product, int]
#: Functions of sizes that keep a form of their own.
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "max": max,
    "min": min,
}
_OPERATORS: dict[type[ast.operator], str] = {ast.FloorDiv: "floordiv", ast.Mod: "mod"}
#: Those of them that may leave a remainder.
_DIVIDING = frozenset({"floordiv", "mod"})
#: Sizes of which each divides the next, and by which most numbers in programs divide: of two kinds, so that none is equal by chance.
_POWERS = range(1, 5)
_DIVISIBLE = tuple(
    tuple(base**power for power in _POWERS) for base in (2**12 * 3**3 * 25 * 7, 2**12 * 27 * 25 * 77)
)
#: The highest power that is multiplied out.
HIGHEST = 8
ONE: Product = ()


class NotArithmetic(ValueError):
    """What is an expression to Python, and no arithmetic of sizes."""


def normal(expression: str) -> str:
    """The normal form of an expression, as JAX's and Python's readers of sizes take it.

    Raises:
        NotArithmetic: it is something else.
        SyntaxError: it is no expression.
    """
    return _written(_sum(_parsed(expression)))


def symbols_of(expression: str) -> set[str]:
    """The names in an expression.

    Raises:
        NotArithmetic, SyntaxError: as `normal`.
    """
    tree = _parsed(expression)
    _sum(tree)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _called_in(tree)


def functions_of(expression: str) -> set[str]:
    """The functions that an expression calls.

    Raises:
        NotArithmetic, SyntaxError: as `normal`.
    """
    tree = _parsed(expression)
    _sum(tree)
    return _called_in(tree)


def substituted(expression: str, sizes: Mapping[str, int | str]) -> str:
    """The normal form of an expression with other sizes in place of some names.

    Raises:
        NotArithmetic, SyntaxError: as `normal`.
    """

    class Substitution(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return _parsed(str(sizes[node.id])) if node.id in sizes else node

    return _written(_sum(Substitution().visit(_parsed(expression))))


def may_be_equal(left: str, right: str) -> bool:
    """Whether two expressions are equal for sizes that leave no remainders where they divide: ``4 * (n // 4)`` and ``n``.

    False where neither divides: what is equal then has one normal form.

    Raises:
        NotArithmetic, SyntaxError: as `normal`.
    """
    left, right = normal(left), normal(right)
    if _DIVIDING.isdisjoint(functions_of(left) | functions_of(right)):
        return False
    names = sorted(symbols_of(left) | symbols_of(right))
    return any(
        all(_differ_by_nothing(left, right, dict(zip(order, sizes, strict=False))) for sizes in _DIVISIBLE)
        for order in itertools.permutations(names[: len(_POWERS)])
    )


def _differ_by_nothing(left: str, right: str, sizes: Mapping[str, int]) -> bool:
    return substituted(left, sizes) == substituted(right, sizes)


def _parsed(expression: str) -> ast.expr:
    return ast.parse(expression.strip(), mode="eval").body


def _called_in(tree: ast.expr) -> set[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {function.id for function in calls if isinstance(function, ast.Name)}


def _sum(tree: ast.expr) -> Sum:
    match tree:
        case ast.Constant(value=int() as number) if type(number) is int:
            return {ONE: number} if number else {}
        case ast.Name(id=name):
            return {(name,): 1}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _times(_sum(operand), {ONE: -1})
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _sum(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _plus(_sum(left), _sum(right))
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _plus(_sum(left), _times(_sum(right), {ONE: -1}))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _times(_sum(left), _sum(right))
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
            0 <= power <= HIGHEST
        ):
            base, result = _sum(left), {ONE: 1}
            for _ in range(power):
                result = _times(result, base)
            return result
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _called(_OPERATORS[type(op)], _sum(left), _sum(right))
        case ast.Call(func=ast.Name(id=name), args=[left, right], keywords=[]) if name in FUNCTIONS:
            return _called(name, _sum(left), _sum(right))
    raise NotArithmetic(
        f"{ast.unparse(tree)} is not an expression of sizes, which can have +, -, *, //, %, ** and {', '.join(FUNCTIONS)}"
    )


def _plus(a: Sum, b: Sum) -> Sum:
    total = {product: a.get(product, 0) + b.get(product, 0) for product in (*a, *b)}
    return {product: times for product, times in total.items() if times}


def _times(a: Sum, b: Sum) -> Sum:
    total: Sum = {}
    for left, p in a.items():
        for right, q in b.items():
            total = _plus(total, {tuple(sorted((*left, *right))): p * q})
    return total


def _called(function: str, left: Sum, right: Sum) -> Sum:
    if left.keys() <= {ONE} and right.keys() <= {ONE}:
        try:
            number = FUNCTIONS[function](left.get(ONE, 0), right.get(ONE, 0))
        except ZeroDivisionError:
            raise NotArithmetic("a division by 0") from None
        return {ONE: number} if number else {}
    if (
        function == "floordiv"
        and set(right) == {ONE}
        and not any(times % right[ONE] for times in left.values())
    ):
        return {product: times // right[ONE] for product, times in left.items()}
    texts = [_written(left), _written(right)]
    if function in ("max", "min"):
        texts.sort()
        if texts[0] == texts[1]:
            return left
    return {(f"{function}({texts[0]}, {texts[1]})",): 1}


def _written(total: Sum) -> str:
    """A sum as text: long products first, then by name, the number last."""
    text = ""
    for product, times in sorted(total.items(), key=lambda item: (-len(item[0]), item[0])):
        factors = [f"{abs(times)}"] if abs(times) != 1 or not product else []
        term = "*".join([*factors, *product])
        if not text:
            text = term if times > 0 else f"-{term}"
        else:
            text += f" + {term}" if times > 0 else f" - {term}"
    return text or "0"
