"""What a file does, without what its annotations say: known by a digest, so that facts of it hold once it is annotated."""

from __future__ import annotations

import ast

from jaxtyping_core.programs.syntax import FUNCTIONS
from jaxtyping_core.recording.store import digest_of


def bodies_of(text: bytes) -> str:
    """The digest of the functions of a file, and of the constants at its top; imports and classes' fields are not in it.

    Empty where the file is no Python.
    """
    try:
        plain = _Unannotated().visit(ast.parse(text))
        functions = [ast.dump(node) for node in ast.walk(plain) if isinstance(node, FUNCTIONS)]
        constants = [ast.dump(node) for node in plain.body if _is_constant(node)]
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return digest_of("\n".join([*functions, *constants]).encode(errors="surrogatepass"))


def _is_constant(node: ast.stmt) -> bool:
    """Whether a statement binds a name to literals."""
    if not isinstance(node, ast.Assign):
        return False
    parts = ast.walk(node.value)
    return all(
        isinstance(part, ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.expr_context) for part in parts
    )


class _Unannotated(ast.NodeTransformer):
    """Takes annotations out of functions."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        value = node.value or ast.Constant(None)
        return self.generic_visit(ast.Assign([node.target], value))
