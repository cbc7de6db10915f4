"""What mypy says of modules, and which type each of their calls and operators has to it.

    python benchmarks/mypy_types.py FILES

run in their folder under its mypy.ini, writes lines of JSON: errors, and types with the places of the expressions (lines from 1, columns
and ends as in Python's `ast`). `reveal_type` is no such way: mypy takes its note in the right operand of an operator for a refusal
of that operator, and tries another.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mypy import build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.nodes import CallExpr, OpExpr, UnaryExpr

from jaxtyping_core_mypy.trees import PARTS, nodes_inside

ERROR = re.compile(r"(?P<file>[^:]+):(?P<line>\d+): error: (?P<message>.*)")


def says(files: list[str]) -> Iterator[dict[str, Any]]:
    """The errors in the modules, and the types of their calls and operators."""
    sources, options = process_options(files)
    options.export_types = options.preserve_asts = True
    for source in sources:  # what is read from a file may come from mypy's cache, without its expressions
        source.text = Path(str(source.path)).read_text()
    try:
        result = build.build(sources, options)
    except CompileError as error:
        yield from errors(error.messages)
        return
    yield from errors(result.errors)
    for source in sources:
        tree = result.graph[source.module].tree
        for node in nodes_inside(tree.defs if tree else [], PARTS):
            typ = result.types.get(node) if isinstance(node, CallExpr | OpExpr | UnaryExpr) else None
            if typ is not None:
                place = (node.line, node.column, node.end_line, node.end_column)
                yield {"file": source.path, "place": place, "type": typ.str_with_options(options)}


def errors(messages: list[str]) -> Iterator[dict[str, Any]]:
    for message in messages:
        error = ERROR.match(message)
        if error is not None:
            yield {"file": error["file"], "line": int(error["line"]), "error": error["message"]}


if __name__ == "__main__":
    for said in says(sys.argv[1:]):
        print(json.dumps(said))
