"""Rules that were found before, on disk: finding them anew takes minutes.

A file per function, in a folder for the installed versions and the text of this package: another JAX, or another
probe, starts from nothing. Whatever goes wrong with a file, its function is probed again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterator
from inspect import Parameter
from pathlib import Path
from typing import Any, NamedTuple

import jax
import ml_dtypes
import numpy as np

import jaxtyping_core.dtypes

from .words import Words


class Overload(NamedTuple):
    """An overload: its parameters, with annotations that are text, and its result."""

    parameters: list[Parameter]
    result: str


class Rules(NamedTuple):
    """The overloads of a function, and the line of the report on it."""

    overloads: list[Overload]
    words: Words


@functools.cache
def folder() -> Path:
    """Where the rules for what is installed are."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    versions = (jax.__version__, np.__version__, ml_dtypes.__version__)
    digest = hashlib.sha256("\n".join([*versions, *_sources()]).encode()).hexdigest()
    return base / "jaxtyping-core" / f"rules-{digest[:16]}"


def _sources() -> Iterator[str]:
    package = Path(__file__).parents[1]
    files = [*package.glob("*.py"), *package.glob("probing/*.py"), *package.glob("rules/*.py")]
    wanted = {"tables.py", "requests.py", "hints.py", "oracle.py"}
    for path in sorted(files):
        if path.parent != package or path.name in wanted:
            yield path.read_text(encoding="utf-8")
    yield Path(jaxtyping_core.dtypes.__file__).read_text(encoding="utf-8")


def load(path: str) -> Rules | None:
    """The rules of the function that is called `path`, if they are there."""
    try:
        found = json.loads((folder() / f"{path}.json").read_text(encoding="utf-8"))
        overloads = [Overload(list(map(_parameter, given)), result) for given, result in found["overloads"]]
        return Rules(overloads, Words(*found["words"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(path: str, rules: Rules) -> None:
    """Keep the rules of the function that is called `path`."""
    text = json.dumps({"overloads": list(map(_as_data, rules.overloads)), "words": rules.words})
    target = folder() / f"{path}.json"
    made = target.with_suffix(f".{os.getpid()}.tmp")
    try:
        folder().mkdir(parents=True, exist_ok=True)
        made.write_text(text, encoding="utf-8")
        made.replace(target)
    except OSError:  # no place to keep it
        made.unlink(missing_ok=True)


#: What stands for a default that is no plain value, and for none.
_OTHER, _NONE = {"default": "other"}, {"default": "none"}


def _as_data(one: Overload) -> tuple[list[Any], str]:
    return [(each.name, each.kind.name, _default(each.default), each.annotation) for each in one.parameters], one.result


def _default(value: Any) -> Any:
    if value is Parameter.empty:
        return _NONE
    return value if value is None or type(value) in (bool, int, str, float) else _OTHER


def _parameter(data: list[Any]) -> Parameter:
    name, kind, default, annotation = data
    if default == _NONE:
        default = Parameter.empty
    elif default == _OTHER:
        default = ...
    return Parameter(name, getattr(Parameter, kind), default=default, annotation=annotation)
