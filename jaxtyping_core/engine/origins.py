"""Where the arrays come from that an error is about: JAX refuses them where they meet, which may be lines after the mistake."""

from __future__ import annotations

import ast
from typing import Any

from .scopes import Scope
from .values import arrays

#: How many are told of one error.
MOST = 4


def origin(file: str, line: int, what: str, how: str) -> dict[str, Any]:
    """A line that a finding comes from: what `what` is there, as "assigned"."""
    return {"file": file, "line": line, "what": what, "how": how}


def origins(node: ast.AST | None, scope: Scope, about: str) -> list[dict[str, Any]]:
    """The arrays that variables of the function hold which an expression reads, each with the line that made it.

    Where some are what the error is `about`, only these.
    """
    names = {part.id: None for part in ast.walk(node) if isinstance(part, ast.Name)} if node else {}
    rows = []
    for name in names:
        line, value = scope.assigned.get(name, (0, None))
        # Another object than was assigned is what several ways through the function have in common.
        if not arrays.is_array(value) or scope.variables.get(name) is not value:
            continue
        if line != getattr(node, "lineno", 0):
            spelled = arrays.spelled({name: value}).partition(": ")[2]
            if not (spelled.startswith("key<") and spelled.endswith("[]")):  # which has no size to be wrong
                rows.append((spelled, origin(scope.module.path, line, f"{name}: {spelled}", "assigned")))
    return [made for spelled, made in rows if spelled == about] or [made for _, made in rows[:MOST]]
