"""What may make the finding of a rule go away, as edits of the text, from the remedy that its message names.

The worker tries them, as those of `fixing`. Only what keeps the shapes and dtypes that the message asks for is offered: where a
square may be meant, or where a key comes from, a person decides.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping

from jaxtyping_core.lsp.records import Edit, Problem, Span
from jaxtyping_core.lsp.source import Source

#: What messages say: which dtype there is in place of another one, and which operand makes an array wide.
INSTEAD = re.compile(r"(\w+) is asked for, .* or ask for (\w+)$")
WIDENED = re.compile(r"(\w+)\[[^]]*\] becomes .*, because (\w+) is ")
Remedies = Iterator[tuple[str, list[Edit]]]


def remedies(source: Source, problem: Problem) -> Remedies:
    """Titles and edits for the finding of a rule, the best one first."""
    find = BY_CODE.get(problem.code)
    if find is not None:
        yield from find(source, problem)


def _another_dtype(source: Source, problem: Problem) -> Remedies:
    match = INSTEAD.search(problem.message.partition("\n")[0])
    if match is None:
        return
    for node in _within(source, problem.span):
        name = getattr(node, "attr", None) or getattr(node, "id", None) or getattr(node, "value", None)
        if name == match[1] and isinstance(node, (ast.Attribute, ast.Name, ast.Constant)):
            text = source.of(node).replace(match[1], match[2])
            yield f"Ask for {match[2]}", [Edit(source.span(node), text)]


def _kept_dtype(source: Source, problem: Problem) -> Remedies:
    match = WIDENED.search(problem.message.partition("\n")[0])
    if match is None:
        return
    dtype, name = match.groups()
    module = source.module("jax.numpy")
    told = f'"{dtype}"' if module is None else f"{module}.{dtype}"
    for node in _within(source, problem.span):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield f"Convert {name} to {dtype}", [Edit(source.span(node), f"{name}.astype({told})")]


def _within(source: Source, span: Span) -> Iterator[ast.expr]:
    """The expressions in a place; of what evaluation finds only its beginning is certain."""
    for node in source.nodes:
        if isinstance(node, ast.expr):
            at = source.span(node)
            if (span.line, span.column) <= (at.line, at.column) and (at.end_line, at.end_column) <= (
                span.end_line,
                span.end_column,
            ):
                yield node


#: What is tried for the findings of each code.
BY_CODE: Mapping[str, Callable[[Source, Problem], Remedies]] = {
    "x64-lost": _another_dtype,
    "widening": _kept_dtype,
}
