"""Source in which a checker reveals the types of calls and operators, on the lines where they were."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jax_calls import calls

OPERATOR = "operator"
BEFORE, AFTER = "reveal_type(", ")"
#: A comment that silences a line silences the types on it.
SILENT = re.compile(rb"(# *pyright): *(?=ignore)")
#: Of these, nothing is an array; and `X | Y` may be a type.
NO_OPERANDS = (ast.JoinedStr, ast.List, ast.ListComp, ast.Dict, ast.Set)


class Site(NamedTuple):
    """An expression whose type is revealed: its place in the source (lines from 1), and what is called in it."""

    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    name: str


class Revealing(NamedTuple):
    """A module with its sites."""

    text: str
    sites: dict[tuple[int, int], Site]  # by where a checker says it is: lines and UTF-16 columns from 0
    left_out: Counter[str]  # of the sites that could not be asked about, where they were


def revealing(source: str) -> Revealing:
    """Put `reveal_type` around each call of JAX's functions and arrays' methods, and around operators."""
    tree = ast.parse(source)
    lines = [line.encode() for line in source.splitlines(keepends=True)] if _same_lines(source) else []
    forbidden = dict(_forbidden(tree))
    wanted: dict[ast.expr, tuple[str, str]] = {call.node: (call.kind, call.name) for call in calls(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp | ast.BinOp) and (name := _operator(node)):
            wanted[node] = (OPERATOR, name)
    left_out = Counter(forbidden[node] for node in wanted if node in forbidden)
    inside = sorted((node for node in wanted if node not in forbidden), key=_outermost_first)
    if not lines:
        return Revealing(source, {}, Counter({"lines that are not Python's": len(wanted)}))
    inserted: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for part in inside:
        inserted[part.lineno - 1].append((part.col_offset, BEFORE))
        inserted[(part.end_lineno or 0) - 1].append((part.end_col_offset or 0, AFTER))
    sites: dict[tuple[int, int], Site] = {}
    nodes = iter(inside)
    for number in sorted(inserted):
        new = bytearray()
        done = 0
        # What ends at a place ends before what starts there.
        for column, text in sorted(inserted[number], key=lambda item: (item[0], item[1] == BEFORE)):
            new += lines[number][done:column] + text.encode()
            done = column
            if text == BEFORE:
                node = next(nodes)
                place = number, len(new.decode().encode("utf-16-le")) // 2
                end = node.end_lineno or 0, node.end_col_offset or 0
                sites[place] = Site(node.lineno, node.col_offset, *end, *wanted[node])
        lines[number] = bytes(new) + lines[number][done:]
    return Revealing(SILENT.sub(rb"\1 would ", b"".join(lines)).decode(), sites, left_out)


def _same_lines(source: str) -> bool:
    """Whether `splitlines` divides the source as Python does: not at a form feed or another such character."""
    return len(source.splitlines()) == len(source.removesuffix("\n").split("\n"))


def _outermost_first(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0)


def _operator(node: ast.UnaryOp | ast.BinOp) -> str:
    """The name of an operator that may give an array."""
    match node:
        case ast.UnaryOp(ast.USub() | ast.Invert(), operand) if not isinstance(operand, ast.Constant):
            return type(node.op).__name__
        case ast.BinOp(left, operator, right) if not isinstance(operator, ast.BitOr):
            both = (left, right)
            if any(isinstance(part, NO_OPERANDS) or _is_text(part) for part in both):
                return ""
            return "" if all(isinstance(part, ast.Constant) for part in both) else type(operator).__name__
    return ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _forbidden(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """The nodes that must stay as they are, with where they are."""
    for node in ast.walk(tree):
        parts: dict[str, Sequence[ast.expr | None]] = {}
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                parts = {"decorators": [*node.decorator_list], "annotations": [node.returns]}
            case ast.ClassDef():
                bases = [*node.bases, *(keyword.value for keyword in node.keywords)]
                parts = {"decorators": [*node.decorator_list], "bases of classes": bases}
            case ast.arg() | ast.AnnAssign():
                parts = {"annotations": [node.annotation]}
            case ast.JoinedStr():  # whose text Python's own positions may miss
                parts = {"f-strings": [*node.values]}
        for place, roots in parts.items():
            for root in filter(None, roots):
                yield from ((inner, place) for inner in ast.walk(root))
