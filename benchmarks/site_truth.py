"""Runs a program with `reveal_type` around expressions, and says of each place which arrays it held.

    python benchmarks/site_truth.py SITES PROGRAM ARGUMENTS

writes one line of JSON for each place with arrays into SITES: line and column as checkers count them, and the dtypes of the arrays of
each call, each once. Random keys are told as "key".
"""

from __future__ import annotations

import builtins
import json
import linecache
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import jax
from revealing import BEFORE

Seen = dict[tuple[int, int], set[tuple[str, ...]]]


def observe(program: str, seen: Seen) -> Any:
    """What takes the place of `reveal_type` while `program` runs."""
    places: dict[tuple[CodeType, int], tuple[int, int] | None] = {}

    def reveal_type(value: Any) -> Any:
        frame = sys._getframe(1)
        key = (frame.f_code, frame.f_lasti)
        if key not in places:
            places[key] = _place(*key, program)
        place = places[key]
        if place is not None:
            seen.setdefault(place, set()).add(tuple(_dtypes(value)))
        return value

    return reveal_type


def _place(code: CodeType, instruction: int, program: str) -> tuple[int, int] | None:
    """Where the argument of the call at an instruction begins: line and UTF-16 column from 0."""
    line, _, column, _ = list(code.co_positions())[instruction // 2]
    if code.co_filename != program or line is None or column is None:
        return None
    before = linecache.getline(program, line).encode()[:column].decode() + BEFORE
    return line - 1, len(before.encode("utf-16-le")) // 2


def _dtypes(value: Any) -> Iterator[str]:
    for leaf in jax.tree_util.tree_leaves(value):
        if isinstance(leaf, jax.Array):
            name = str(leaf.dtype)
            is_raw = name == "uint32" and leaf.shape[-1:] == (2,)
            yield "key" if name.startswith("key<") or is_raw else name


def main() -> None:
    out, program, *arguments = sys.argv[1:]
    seen: Seen = {}
    sys.argv = [program, *arguments]
    sys.path[0] = str(Path(program).parent)
    setattr(builtins, "reveal_type", observe(program, seen))  # noqa: B010  # typeshed has no such name
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        lines = [json.dumps([*place, sorted(dtypes)]) for place, dtypes in sorted(seen.items())]
        Path(out).write_text("\n".join(lines))


if __name__ == "__main__":
    main()
