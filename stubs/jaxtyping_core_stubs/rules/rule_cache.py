"""What is found out about functions, each once: in several processes, and kept on disk, for it takes minutes.

A file per function, in a folder for the installed versions and for the text of the modules that probe: another JAX, or
another probe, starts from nothing. Whatever goes wrong with a file, its function is probed again.
"""

from __future__ import annotations

import ast
import concurrent.futures
import functools
import hashlib
import importlib
import multiprocessing
import os
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import jax
import ml_dtypes
import numpy as np

import jaxtyping_core.dtypes

from .. import hints, oracle, tables
from ..probing import evaluate, parameters, samples
from . import claims, function_rules, grouping, options, pairs, probe, shapes
from .excluded import EXCLUDED
from .function_rules import Study

T = TypeVar("T")

#: The modules that what is found depends on.
_PROBING = (
    *(evaluate, parameters, samples, claims, pairs, probe, shapes, function_rules, options, grouping),
    *(tables, hints, oracle, jaxtyping_core.dtypes),
)


@functools.cache
def folder() -> Path:
    """Where the findings for what is installed are."""
    versions = (jax.__version__, np.__version__, ml_dtypes.__version__)
    digest = hashlib.sha256("\n".join([*versions, *map(_source, _PROBING)]).encode()).hexdigest()
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    made = base / "jaxtyping-core" / f"rules-{digest[:16]}"
    try:
        made.mkdir(parents=True, exist_ok=True)
    except OSError:  # no place to keep them: for this run only
        return Path(tempfile.mkdtemp(prefix="jaxtyping-core-"))
    return made


def _source(module: ModuleType) -> str:
    """What a module does: a comment, a docstring or the type of a parameter that changes is no reason to start anew."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    return ast.dump(tree)


def prepare(modules: Iterable[str]) -> None:
    """Find out about all functions of `modules` of which nothing is on disk, on all processors."""
    paths = [path for module in sorted(modules) for path in functions(module)]
    missing = [path for path in paths if path not in EXCLUDED and not (folder() / path).exists()]
    if len(missing) <= AT_ONCE:
        return
    groups = [missing[start : start + AT_ONCE] for start in range(0, len(missing), AT_ONCE)]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(mp_context=context) as pool:
        for _ in pool.map(_find_out, groups):
            pass


#: So many functions are given to a process at once.
AT_ONCE = 8


def functions(module: str) -> Iterator[str]:
    """The full names of the public functions of a module."""
    for name, value in sorted(vars(importlib.import_module(module)).items()):
        if not name.startswith("_") and callable(value) and not isinstance(value, type):
            yield f"{module}.{name}"


def _find_out(paths: list[str]) -> None:
    for path in paths:
        module, _, name = path.rpartition(".")
        function = getattr(importlib.import_module(module), name)
        studies(path, function)
    jax.clear_caches()


def studies(path: str, function: Callable[..., Any]) -> list[Study]:
    """What is known of the function that is called `path`, found out now or before."""
    # JAX refuses half of what is tried, and would look up each frame of each traceback, which nobody reads.
    jax.config.update("jax_traceback_filtering", "off")
    try:
        probed = probe.probe(path, function)
    except ValueError:  # no signature
        _save(folder() / path, [])
        return []
    data = _kept(folder() / path, lambda: list(map(_as_data, function_rules.studies(probed))))
    return [_from_data(probed, *known) for known in data]


def _kept(file: Path, find_out: Callable[[], list[T]]) -> list[T]:
    """What is on disk, or else is found out and put there."""
    try:
        data: list[T] = pickle.loads(file.read_bytes())
    except Exception:  # noqa: BLE001 - no such file, or one of another version
        data = find_out()
        _save(file, data)
    return data


#: A study without its probe, which has functions in it, and the variants of parameters that the probe was pinned to.
Data = tuple[dict[str, Any], dict[str, tuple[str, ...]], tuple[str, ...]]


def _as_data(known: Study) -> Data:
    pins = {
        name: tuple(variant.annotation for variant in variants) for name, variants in known.probe.pins.items()
    }
    return {**known._asdict(), "probe": None}, pins, known.probe.pinned


def _from_data(
    probed: probe.Probe, fields: dict[str, Any], pins: dict[str, tuple[str, ...]], pinned: tuple[str, ...]
) -> Study:
    for argument in probed.parameters:
        if argument.name in pins:
            kept = tuple(each for each in probed.variants(argument) if each.annotation in pins[argument.name])
            probed = probed.pin(argument.name, kept, free=True)
    return Study(**{**fields, "probe": probed._replace(pinned=pinned)})


def _save(file: Path, data: Any) -> None:
    made = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(pickle.dumps(data))
        made.replace(file)
    except (
        OSError,
        pickle.PicklingError,
        TypeError,
        AttributeError,
    ):  # no place for it, or it cannot be kept
        made.unlink(missing_ok=True)
