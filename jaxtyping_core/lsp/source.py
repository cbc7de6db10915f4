"""A file as the editor has it: its text, its syntax tree, and where in it things are."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from jaxtyping_core.lsp.records import Span
from jaxtyping_core.lsp.scopes import Names
from jaxtyping_core.programs.syntax import imports_in, nodes
from jaxtyping_core.reading import NEWLINE


@dataclass(frozen=True)
class Source:
    """A text that is Python, and its tree."""

    text: str
    tree: ast.Module

    @cached_property
    def lines(self) -> list[str]:
        """The lines as Python and editors count them."""
        return NEWLINE.split(self.text)

    @cached_property
    def names(self) -> Names:
        """What is bound in the file."""
        return Names(self.tree)

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    def column(self, line: int, offset: int) -> int:
        """The character of a line, counted from 0, at an offset of bytes, as those of `ast` are."""
        if self._is_ascii:
            return offset
        text = self.lines[line]
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """Where a node is; of a parameter, its name."""
        last = (node.end_lineno or node.lineno) - 1
        end = node.end_col_offset
        if isinstance(node, ast.arg):
            last, end = node.lineno - 1, node.col_offset + len(node.arg.encode())
        return Span(
            node.lineno - 1,
            self.column(node.lineno - 1, node.col_offset),
            last,
            self.column(last, node.col_offset + 1 if end is None else end),
        )

    @property
    def nodes(self) -> Sequence[ast.AST]:
        """All nodes of the tree."""
        return nodes(self.tree)

    def of(self, node: ast.expr) -> str:
        """The source of a node."""
        span = self.span(node)
        lines = self.lines[span.line : span.end_line + 1]
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
        return "\n".join(lines)

    def module(self, name: str) -> str | None:
        """What the file calls a module: ``jnp`` for ``jax.numpy``; None if it has no name for it."""
        package, _, last = name.rpartition(".")
        through = None
        for node in self.tree.body:
            module = node.module if isinstance(node, ast.ImportFrom) else None
            for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                match module, alias.name, alias.asname:
                    case str(), imported, shown if (module, imported) == (package, last):
                        return shown or last
                    case None, imported, shown if imported == name:
                        return shown or name
                    case None, imported, None if imported == package:
                        through = name
        return through

    def imports(self, package: str) -> bool:
        """Whether the file imports from a package."""
        for node in (each for statement in self.tree.body for each in imports_in(statement)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif node.module and not node.level:
                names = [node.module]
            if any(name.partition(".")[0] == package for name in names):
                return True
        return False
