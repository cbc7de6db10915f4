"""Which modules do something when they are run."""

from __future__ import annotations

import ast


def is_script(tree: ast.Module) -> bool:
    """Whether a module does something when it is run: it has a ``__main__`` block, a loop, or a call of a function."""
    for node in tree.body:
        if isinstance(node, (ast.For, ast.While, ast.With)):
            return True
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
        ):
            return True
        if isinstance(node, ast.If) and any(
            isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test)
        ):
            return True
    return False
