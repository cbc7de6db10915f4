"""Facts as a run would show them, written by hand."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jaxtyping_core.annotating.owners import held_in
from jaxtyping_core.annotating.planning import Plan
from jaxtyping_core.annotating.source import Source
from jaxtyping_core.annotating.spelling.jaxtyping import Jaxtyping
from jaxtyping_core.annotating.spelling.native import Native
from jaxtyping_core.annotating.walking import Walks
from jaxtyping_core.recording.observed import Array, Call, Dict, Function, Items, Object, Observed, Scalar
from jaxtyping_core.recording.store import FileFacts
from jaxtyping_core.settings import Settings

STYLES = {"native": Native, "jaxtyping": Jaxtyping}


def floats(*dims: int, dtype: str = "float32", **more: Any) -> Array:
    return Array(dtype, dims, **more)


def seen(value: object) -> Observed:
    """A value of Python's as it is observed."""
    if isinstance(value, Observed):
        return value
    if value is None:
        return Scalar("NoneType", None)
    if isinstance(value, (tuple, list)):
        return Items(type(value).__name__, tuple(map(seen, value)))
    if isinstance(value, dict):
        return Dict(tuple(value), tuple(map(seen, value.values())))
    kept = value if isinstance(value, (bool, int)) else None
    return Scalar(type(value).__name__, kept)


def instance(name: str, /, **fields: object) -> Items:
    """A named tuple of a class of the program's main module."""
    return Items("tuple", tuple(map(seen, fields.values())), f"__main__.{name}", tuple(fields))


def function() -> Object:
    return Object("builtins.function", called=True)


def call(returned: object, /, **arguments: object) -> Call:
    return Call(tuple((name, seen(value)) for name, value in arguments.items()), seen(returned))


def planned(
    text: str,
    calls: Mapping[str, list[Call]],
    folder: Path | None = None,
    style: str = "native",
    refine: bool = False,
) -> Plan:
    """What is planned for a module of which calls were seen, by the qualified names of its functions.

    Bodies are walked through if the module has a folder.
    """
    file = (folder or Path("nowhere")) / "module.py"
    if folder is not None:
        file.write_bytes(text.encode())
    source = Source.of(file, text, ast.parse(text))
    lines = {definition.qualname: definition.node.lineno for definition in source.definitions}
    facts = FileFacts("", {Function(name, lines[name]): dict.fromkeys(own, 1) for name, own in calls.items()})
    walks = Walks(file, Settings(programs=folder is not None), {})
    return Plan(source, facts, walks, STYLES[style](source, False), refine, held_in([facts]))


def annotated(
    text: str,
    calls: Mapping[str, list[Call]],
    folder: Path | None = None,
    style: str = "native",
    refine: bool = False,
) -> str:
    """A module with annotations of calls."""
    return planned(text, calls, folder, style, refine).write(text.encode(), {}).decode()


def heads(text: str) -> list[str]:
    """The heads of a module's functions, each in one line."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            lines.append(f"{node.name}({ast.unparse(node.args)}){result}")
    return lines
