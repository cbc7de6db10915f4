"""What jaxtyping's `eval` gives for a dim, evaluated without Python's."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from ...domain.expressions import BINARY
from ...engine.libraries.trust.sealed import NoSize

#: Operators of dims. Others, and larger numbers, are no sizes.
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    **BINARY,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
LARGEST = 1 << 63
LONGEST_DIM = 1000


def size_of_dim(text: Any, names: Mapping[str, Any] | None = None, *_: Any) -> Any:
    """What jaxtyping's `eval` gives for a dim, or for the f-string that it is at first."""
    if type(text) is not str or len(text) > LONGEST_DIM:
        raise NoSize("a dim")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoSize(text) from None
    if isinstance(tree, ast.Constant) and type(tree.value) is str:
        return tree.value
    if isinstance(tree, ast.JoinedStr):
        return "".join(_of_part(part, names or {}) for part in tree.values)
    return _size(tree, names or {})


def _of_part(part: ast.expr, names: Mapping[str, Any]) -> str:
    """A part of an f-string, of which the names are a call's arguments."""
    if isinstance(part, ast.Constant) and type(part.value) is str:
        return part.value
    if isinstance(part, ast.FormattedValue) and part.format_spec is None and part.conversion == -1:
        return str(_size(part.value, names))
    raise NoSize("a dim")


def _size(node: ast.expr, names: Mapping[str, Any]) -> int:
    size: Any = None
    if isinstance(node, ast.Constant):
        size = node.value
    elif isinstance(node, ast.Name):
        if node.id not in names:
            raise NameError(node.id)
        size = names[node.id]
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _size(node.left, names), _size(node.right, names)
        if not isinstance(node.op, ast.Pow) or 0 <= right < 64:
            size = OPERATORS[type(node.op)](left, right) if right or isinstance(node.op, _WITH_ZERO) else None
    elif isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        size = OPERATORS[type(node.op)](_size(node.operand, names))
    if type(size) is not int or abs(size) > LARGEST:
        raise NoSize(ast.unparse(node))
    return size


_WITH_ZERO = (ast.Add, ast.Sub, ast.Mult, ast.Pow)
