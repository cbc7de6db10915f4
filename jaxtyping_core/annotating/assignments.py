"""Variables whose dtype a run showed and checkers do not know: what a call of a library gives, say a layer.

What is written of them is the dtype alone: sizes that were the same in a run may be so by chance.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from jaxtyping_core.annotating.observed_types import Arrays, agreed
from jaxtyping_core.annotating.source import Source, own_nodes, top_level
from jaxtyping_core.recording.observed import Array, Observed
from jaxtyping_core.recording.store import FileFacts, Place

#: How mypy spells types that say nothing of a dtype, or not in all cases.
OPEN = re.compile(r"\b(?:Array|dtype)\[Any\b|(?:^|\| )Any(?:$| \|)")
#: What mypy is asked by.
ASKED = "reveal_type"


@dataclass(frozen=True, slots=True)
class Assignment:
    """An array that is assigned to a name: by its number, counted from the top of the file, as that of the function is; None at the top level."""

    number: int
    function: int | None
    line: int
    kind: Arrays
    name: str
    reads: frozenset[str]


def assignments(source: Source, facts: FileFacts) -> list[Assignment]:
    """The assignments to one name of which all that was seen was arrays of one dtype."""
    if ASKED in source.text:  # it asks mypy itself, and which answer is for whom would not be certain
        return []
    numbers = {id(node): number for number, node in enumerate(_in_order(source.tree, ast.Assign))}
    assigned = []
    for function, node in _bodies(source):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                seen = facts.places.get(Place(target.lineno, target.col_offset, name), frozenset())
                kind = agreed(list(seen), name, source.uses_raw_keys)
                if isinstance(kind, Arrays) and _is_certain(kind) and not any(map(_is_weak, seen)):
                    reads = frozenset(each.id for each in ast.walk(value) if isinstance(each, ast.Name))
                    assigned.append(Assignment(numbers[id(node)], function, node.lineno, kind, name, reads))
    return sorted(assigned, key=lambda assignment: assignment.number)


def _bodies(source: Source) -> Iterator[tuple[int | None, ast.AST]]:
    """The nodes of each function, with its number, and those of the top level that stand below all imports.

    An annotation at the top level is evaluated: a name that is imported further down would not be there.
    """
    last = max(
        (node.lineno for node in top_level(source.tree) if isinstance(node, (ast.Import, ast.ImportFrom))),
        default=0,
    )
    yield from ((None, node) for node in own_nodes(source.tree) if getattr(node, "lineno", 0) > last)
    for function, definition in enumerate(source.definitions):
        yield from ((function, node) for node in own_nodes(definition.node))


def _is_certain(kind: Arrays) -> bool:
    """Whether arrays are of one dtype and one library; those of NumPy without dims may be scalars, which are no arrays."""
    is_array = kind.library == "jax" or (kind.library == "numpy" and bool(kind.rank))
    return kind.known.dtype is not None and is_array and not kind.scalars


def _is_weak(value: Observed) -> bool:
    return isinstance(value, Array) and value.weak


def _in_order(tree: ast.AST, cls: type[ast.AST]) -> list[Any]:
    """The nodes of a class as they come in the text."""
    nodes: list[Any] = [node for node in ast.walk(tree) if isinstance(node, cls)]
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def still_open(text: bytes, asked: Sequence[Assignment], shown: Mapping[int, str]) -> list[Assignment]:
    """The assignments of which mypy does not tell the dtype, by what it shows at the lines of a text that asks it."""
    questions = [
        node for node in _in_order(ast.parse(text), ast.Call) if getattr(node.func, "id", None) == ASKED
    ]
    return [
        assignment
        for assignment, node in zip(asked, questions, strict=True)
        if OPEN.search(shown.get(node.args[0].lineno, ""))
    ]


def first(assigned: Sequence[Assignment]) -> list[Assignment]:
    """Those that read none of the others: of what reads one of these, mypy may know the dtype once they are annotated."""
    names = {assignment.name for assignment in assigned}
    return [assignment for assignment in assigned if not assignment.reads & names]


class Variables(cst.CSTTransformer):
    """Annotates assignments, by their numbers, or asks mypy of them, where the annotation is `ASKED`."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        super().__init__()
        self._texts = texts
        self._count = 0

    def leave_Assign(  # noqa: N802  # libcst finds it by this name
        self, original_node: cst.Assign, updated_node: cst.Assign
    ) -> cst.BaseSmallStatement:
        text = self._texts.get(self._count)
        self._count += 1
        if text is None:
            return updated_node
        if text == ASKED:
            asked = cst.Call(cst.Name(ASKED), [cst.Arg(updated_node.value)])
            return updated_node.with_changes(value=asked)
        annotation = cst.Annotation(
            cst.parse_expression(text),
            whitespace_before_indicator=cst.SimpleWhitespace(""),
            whitespace_after_indicator=cst.SimpleWhitespace(" "),
        )
        return cst.AnnAssign(updated_node.targets[0].target, annotation, updated_node.value)
