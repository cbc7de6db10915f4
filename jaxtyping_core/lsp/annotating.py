"""Annotates a function from the calls that the evaluation of its program makes, by the writer of ``jaxtyping-core annotate``."""

from __future__ import annotations

import ast
import difflib
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from jaxtyping_core.lsp.records import Edit, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.syntax import is_unannotated
from jaxtyping_core.reading import NEWLINE
from jaxtyping_core.recording.observed import Call, Function, decode
from jaxtyping_core.recording.store import FileFacts, digest_of
from jaxtyping_core.settings import Settings


def can_annotate() -> bool:
    """Whether the extra `annotate` is installed."""
    return importlib.util.find_spec("libcst") is not None


def is_open(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    """Whether a node is a function in which nothing is annotated, and that is no coroutine."""
    return isinstance(node, ast.FunctionDef) and is_unannotated(node)


def annotated(
    file: Path, source: Source, line: int, calls: Sequence[Any], settings: Settings
) -> Iterator[str]:
    """The text with annotations of the function whose ``def`` is in a line, most precise first; none if no call says anything.

    Args:
        file: the file, whose text `source` has.
        source: the text.
        line: the line, counted from 1.
        calls: what the calls of the function pass and give, as JSON holds it.
        settings: how the program runs JAX.
    """
    from jaxtyping_core.annotating.files import STYLES
    from jaxtyping_core.annotating.planning import Level, Plan
    from jaxtyping_core.annotating.source import Source as Annotatable
    from jaxtyping_core.annotating.spelling.common import Precision
    from jaxtyping_core.annotating.walking import Walks

    content = source.text.encode()
    module = Annotatable.of(file, source.text, source.tree)
    definition = next((each for each in module.definitions if each.node.lineno == line), None)
    if definition is None or not calls:
        return
    function = Function(definition.qualname, line)
    facts = FileFacts(digest_of(content), {function: dict.fromkeys(map(_call, calls), 1)})
    speller = STYLES["jaxtyping" if module.imports_jaxtyping else "native"](module, settings.x64)
    plan = Plan(module, facts, Walks(file, settings, {}), speller)
    levels = (Precision.FULL, Precision.RANK, Precision.DTYPE)
    texts = [
        plan.write(content, {each.number: Level(level, level) for each in plan.functions}).decode()
        for level in levels
    ]
    yield from (text for text in dict.fromkeys(texts) if text != source.text)


def _call(data: Any) -> Call:
    arguments = tuple((name, decode(value)) for name, value in data["arguments"])
    return Call(arguments, decode(data["returned"]))


def edits_between(old: str, new: str) -> tuple[Edit, ...]:
    """The edits that make one text of another, line by line."""
    before, after = NEWLINE.split(old), NEWLINE.split(new)
    edits = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag == "equal":
            continue
        text = "\n".join(after[first:last])
        if end < len(before):
            edits.append(Edit(Span(start, 0, end, 0), f"{text}\n" if last > first else ""))
        elif start < end:  # the last line, after which nothing comes
            edits.append(Edit(Span(start, 0, end - 1, len(before[-1])), text))
    return tuple(edits)
