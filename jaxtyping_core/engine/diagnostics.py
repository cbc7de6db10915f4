"""What a run tells of the program, besides what it knows of its places."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..evaluation.protocol import ACCEPTED
from .control import Frame
from .origins import origins

#: Notes that are kept.
MOST_NOTES = 50


class Diagnostics:
    """The errors and notes of one run.

    Attributes:
        refusals: the errors, by their place and message.
        remarks: the same for what JAX accepts, and is not meant for all that.
        notes: what a person may want to know of the evaluation, in order, each with the package of which it says that
            nobody trusts it; "" for any other.
        lost: notes about statements that were left out.
        contradicted: the declarations, each with the line of a call, that were reported not to hold there.
    """

    def __init__(self) -> None:
        self.refusals: dict[tuple[str, int, int, str], dict[str, Any]] = {}
        self.remarks: dict[tuple[str, int, int, str], dict[str, Any]] = {}
        self.notes: dict[str, str] = {}
        self.lost: dict[str, None] = {}
        self.contradicted: set[tuple[str, str, int]] = set()

    def keep_common(self, other: Diagnostics) -> None:
        """Keep the errors that another run has as well, in which something was otherwise; and the notes of both."""
        self.refusals = {key: known for key, known in self.refusals.items() if key in other.refusals}
        self.remarks = {key: known for key, known in self.remarks.items() if key in other.remarks}
        self.notes |= other.notes
        self.lost |= other.lost

    def note(self, text: str, untrusted: str = "") -> None:
        """Tell something that a person may want to know of the evaluation, perhaps that a package is not trusted."""
        if len(self.notes) < MOST_NOTES:
            self.notes[text] = untrusted

    def report(
        self,
        frames: Sequence[Frame],
        node: ast.AST | None,
        kind: str,
        message: str,
        about: str = "",
        told: Sequence[dict[str, Any]] | None = None,
    ) -> dict[str, Any]:
        """Something is wrong at `node`, where these calls lead, with an array `about` that is as this says; what is kept of it.

        `told` are the lines that it comes from; None for those that made the arrays of the expression.
        """
        scope = frames[-1].scope
        file = scope.module.path
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        trail = [
            {
                "file": frame.file,
                "line": frame.line,
                "arguments": frame.arguments,
                "caller": caller.name if caller is not None and caller.name.isidentifier() else "",
            }
            for caller, frame in zip([None, *frames], frames, strict=False)
            if frame.line
        ]
        known = {
            "file": file,
            "line": line,
            "column": column,
            "kind": kind,
            "message": message,
            "end_line": getattr(node, "end_lineno", None) or line,
            "end_column": getattr(node, "end_col_offset", None) or column + 1,
            "trail": trail,
            "origins": origins(node, scope, about) if told is None else [*told],
        }
        kept = self.remarks if kind in ACCEPTED else self.refusals
        return kept.setdefault((file, line, column, message), known)
