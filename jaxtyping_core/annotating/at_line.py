"""What a text of a module has at a line: what is called there and with what, what is named, which statement it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtyping_core.annotating.source import top_level


def calls(written: bytes, line: int) -> Iterator[str]:
    """The names of what is called at a line: those in ``jax.grad(loss)(x)`` too, and where ``step = jax.jit(f)`` is called, f."""
    tree = ast.parse(written)
    bound = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or node.lineno):
            yield ast.unparse(node.func).rpartition(".")[2]
            made = bound.get(node.func.id) if isinstance(node.func, ast.Name) else node.func
            yield from (name.id for name in ast.walk(made or node.func) if isinstance(name, ast.Name))


def mentioned(written: bytes, line: int) -> Iterator[str]:
    """The names in the statement at a line of the top level, and in what the module binds these to: ``cached = partial(step, model)``."""
    statements = list(top_level(ast.parse(written)))
    at = [part for part in statements if part.lineno <= line <= (part.end_lineno or part.lineno)]
    bound = {
        target.id: part.value
        for part in statements
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(min(at, key=lambda part: (part.end_lineno or 0) - part.lineno)) if at else ():
        is_near = isinstance(node, ast.Name) and node.lineno <= line <= (node.end_lineno or node.lineno)
        if is_near and isinstance(node, ast.Name):
            yield node.id
            if node.id in bound:
                yield from (name.id for name in ast.walk(bound[node.id]) if isinstance(name, ast.Name))


def arguments(written: bytes, line: int) -> Iterator[str]:
    """The names that calls at a line are given."""
    for node in ast.walk(ast.parse(written)):
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or node.lineno):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            yield from (each.id for each in values if isinstance(each, ast.Name))


def statement(written: bytes, line: int) -> ast.AST:
    """The smallest statement at a line."""
    tree = ast.parse(written)
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return min(around, key=lambda node: (node.end_lineno or 0) - node.lineno, default=tree)
