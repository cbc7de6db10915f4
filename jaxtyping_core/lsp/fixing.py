"""What may make an error go away, as edits of the text; the worker offers only those that do, which it tries.

A dtype is converted where a declaration wants another one of the same kind or a kind above it: what loses the digits after
the point is nobody's certain remedy. An operand gets axes of one element where there is but one way to lay it over the other.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence

from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core.lsp import rule_fixes
from jaxtyping_core.lsp.records import Edit, Fix, Problem, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.reading import NEWLINE

#: How messages say which dtype is declared, and which there is.
DECLARED, GIVEN = re.compile(r"expected (\w+)\["), re.compile(r"(?:returns|is) (\w+)\[")
#: And of which argument.
ARGUMENT = re.compile(r'Argument "(\w+)')
NAMES = {row.alias: name for name, row in DTYPES.items()} | {name: name for name in DTYPES}
#: The kinds of dtypes, of which each holds the values of those before it.
KINDS = "buifc"
#: How JAX's messages say the shapes of two operands.
SHAPES = re.compile(r"ncompatible shapes for broadcasting: (?:shapes=\[)?\(([^()]*)\), \(([^()]*)\)")
#: Products that take `preferred_element_type`, and dtypes in which sums lose much, with those to sum in.
PRODUCTS = frozenset({"matmul", "dot", "einsum", "tensordot", "vdot", "inner", "vecdot", "dot_general"})
LOW = {"bfloat16": ("float32",), "float16": ("float32",), "int8": ("int32",), "uint8": ("int32",)}
PREFERRED = "preferred_element_type"
#: What reduces axes, and keeps them with `keepdims=True`.
REDUCTIONS = frozenset(
    {"sum", "mean", "max", "min", "prod", "std", "var", "any", "all", "median", "logsumexp", "norm"}
    | {"nansum", "nanmean", "nanmax", "nanmin", "nanstd", "nanvar", "nanmedian", "amax", "amin"}
    | {"argmax", "argmin", "quantile", "percentile"}
)
#: What needs no brackets before an attribute or an index.
CLOSED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Tuple)


def candidates(source: Source, problem: Problem) -> list[Fix]:
    """What to try, the best remedy first."""
    tried = [*_conversions(source, problem), *_broadcasts(source, problem)]
    tried += rule_fixes.remedies(source, problem)
    return [Fix(title, problem.span, tuple(edits)) for title, edits in tried]


def applied(text: str, edits: Sequence[Edit]) -> str:
    """A text with edits, none of which overlap."""
    starts = [0, *(match.end() for match in NEWLINE.finditer(text))]
    for edit in sorted(edits, key=lambda edit: (edit.span.line, edit.span.column), reverse=True):
        first = starts[edit.span.line] + edit.span.column
        last = starts[edit.span.end_line] + edit.span.end_column
        text = text[:first] + edit.text + text[last:]
    return text


# Dtypes


def _conversions(source: Source, problem: Problem) -> Iterator[tuple[str, list[Edit]]]:
    declared, actual = DECLARED.search(problem.message), GIVEN.search(problem.message)
    if not declared or not actual:
        return
    to, of = NAMES.get(declared[1]), NAMES.get(actual[1])
    if to is None or of is None or to == of or DTYPES[to].kind not in KINDS or DTYPES[of].kind not in KINDS:
        return
    for node in _blamed(source, problem):
        if to in LOW.get(of, ()):
            yield from _summed(source, node, to)
        if KINDS.index(DTYPES[of].kind) <= KINDS.index(DTYPES[to].kind):
            yield f"Convert to {to} with .astype", _converted(source, node, to)


def _blamed(source: Source, problem: Problem) -> list[ast.expr]:
    """The expressions of which the value of one is wrong: the arguments of a call, what is assigned, or what is returned."""
    argument = ARGUMENT.match(problem.message)
    for node in source.nodes:
        match node:
            case ast.AnnAssign(value=ast.expr() as value) if source.span(node) == problem.span:
                return [value]
            case ast.Call() if argument and source.span(node) == problem.span:
                named = [keyword.value for keyword in node.keywords if keyword.arg == argument[1]]
                return named or [arg for arg in node.args if not isinstance(arg, ast.Starred)]
            case ast.expr() if source.span(node) == problem.span:
                return [node]
    return []


def _converted(source: Source, node: ast.expr, dtype: str) -> list[Edit]:
    match node:
        case ast.Call(func=ast.Attribute(attr="astype"), args=[old], keywords=[]):
            return [Edit(source.span(old), _dtype(source, dtype))]
    return _followed(source, node, f".astype({_dtype(source, dtype)})")


def _summed(source: Source, node: ast.expr, dtype: str) -> Iterator[tuple[str, list[Edit]]]:
    """A product of low precision that is summed, and given, in another one."""
    node = _only_value(source, node)
    title = f"Compute the product in {dtype} with {PREFERRED}"
    argument = f"{PREFERRED}={_dtype(source, dtype)}"
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            module = source.module("jax.numpy")
            if module is not None:
                both = f"{source.of(left)}, {source.of(right)}"
                yield title, [Edit(source.span(node), f"{module}.matmul({both}, {argument})")]
        case ast.Call(func=ast.Attribute(attr=name)) if name in PRODUCTS:
            if all(keyword.arg not in (PREFERRED, None) for keyword in node.keywords):
                yield title, [_with_argument(source, node, argument)]


def _dtype(source: Source, name: str) -> str:
    module = source.module("jax.numpy")
    return f'"{name}"' if module is None else f"{module}.{DTYPES[name].class_name}"


# Shapes


def _broadcasts(source: Source, problem: Problem) -> Iterator[tuple[str, list[Edit]]]:
    match = SHAPES.search(problem.message)
    if match is None:
        return
    left, right = ([dim.strip() for dim in group.split(",") if dim.strip()] for group in match.groups())
    small, large = (0, (left, right)) if len(left) < len(right) else (1, (right, left))
    index = index_over(*large)
    if index is None:
        return
    for operands in _operands(source, problem.span):
        operand = operands[small]
        if not isinstance(
            getattr(operand, "ctx", None), (ast.Load, type(None))
        ):  # what is assigned to keeps its shape
            continue
        reduction = _only_value(source, operand, uses=1)
        if _is_reduction(reduction):
            assert isinstance(reduction, ast.Call)
            yield "Keep the axis with keepdims=True", [_with_argument(source, reduction, "keepdims=True")]
        yield f"Add an axis with {index}", _followed(source, operand, index)


def index_over(small: Sequence[str], large: Sequence[str]) -> str | None:
    """The index that adds axes to an array so that it broadcasts to another shape; None if there is not exactly one."""
    count = len(large) - len(small)
    if count <= 0 or not small:
        return None
    placements = []
    for kept in itertools.combinations(range(len(large)), len(small)):
        if all(dim in (large[axis], "1") for dim, axis in zip(small, kept, strict=True)):
            placements.append(kept)
    if len(placements) != 1:
        return None
    axes = [":" if axis in placements[0] else "None" for axis in range(len(large))]
    while axes[0] == "None":  # broadcasting adds these itself
        axes = axes[1:]
    while axes[-1] == ":":
        axes = axes[:-1]
    return f"[{', '.join(axes)}]" if axes else None


def _operands(source: Source, span: Span) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The operands of what is at a place; of what evaluation refuses only its beginning is certain."""
    for node in source.nodes:
        if not isinstance(node, (ast.expr, ast.AugAssign)):
            continue
        at = source.span(node)
        if (at.line, at.column) != (span.line, span.column):
            continue
        match node:
            case ast.BinOp(left=left, right=right):
                yield left, right
            case ast.Compare(left=left, comparators=[right]) | ast.Call(args=[left, right]):
                yield left, right
            case ast.AugAssign(target=ast.Name() as target, value=value):
                yield target, value


def _is_reduction(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name), keywords=keywords) if name in REDUCTIONS:
            return all(keyword.arg not in ("keepdims", None) for keyword in keywords)
    return False


# Text


def _only_value(source: Source, node: ast.expr, uses: int | None = None) -> ast.expr:
    """What a name is assigned where nothing else is and, if `uses` is given, it is used so often; otherwise the node itself."""
    if not isinstance(node, ast.Name):
        return node
    by_binding = source.names.uses
    once = source.names.once
    bound = next((name for name, nodes in by_binding.items() if node in nodes and name in once), None)
    if bound is None or (uses is not None and len(by_binding[bound]) != uses + 1):
        return node
    for statement in source.nodes:
        if isinstance(statement, ast.Assign) and statement.targets == [bound]:
            return statement.value
    return node


def _followed(source: Source, node: ast.expr, text: str) -> list[Edit]:
    span = source.span(node)
    end = Span(span.end_line, span.end_column, span.end_line, span.end_column)
    if isinstance(node, CLOSED):
        return [Edit(end, text)]
    start = Span(span.line, span.column, span.line, span.column)
    return [Edit(start, "("), Edit(end, f"){text}")]


def _with_argument(source: Source, call: ast.Call, argument: str) -> Edit:
    """A call with another argument after its last one."""
    passed = [*call.args, *(keyword.value for keyword in call.keywords)]
    if passed:
        last = max(map(source.span, passed), key=lambda span: (span.end_line, span.end_column))
        # What is bracketed ends later than its node does.
        line, column = _after_brackets(source, last.end_line, last.end_column, call)
        return Edit(Span(line, column, line, column), f", {argument}")
    span = source.span(call)
    return Edit(Span(span.end_line, span.end_column - 1, span.end_line, span.end_column - 1), argument)


def _after_brackets(source: Source, line: int, column: int, call: ast.Call) -> tuple[int, int]:
    """The place after the brackets that close around an argument in its own line, but before that of the call."""
    end = source.span(call)
    while True:
        text = source.lines[line]
        at = column + len(text[column:]) - len(text[column:].lstrip())
        if text[at : at + 1] != ")" or (line, at + 1) == (end.end_line, end.end_column):
            return line, column
        column = at + 1
