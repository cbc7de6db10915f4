"""Running a program, and what its values are at each of its places."""

from __future__ import annotations

import contextlib
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax

from conformance.truth import Truth, describe
from users.places import PROBE, Copy


class Observation(NamedTuple):
    """A value that was seen at a place, and in which run of its function, or of the module."""

    place: int
    call: types.FrameType
    truth: Truth


class Failure(NamedTuple):
    """How a program ended, and the line of it that was running."""

    error: Exception
    line: int


@contextlib.contextmanager
def quickly_compiled() -> Iterator[None]:
    """Let XLA compile without most of its optimizations: the programs are small, and run but once."""
    before = jax.config.read("jax_disable_most_optimizations")
    jax.config.update("jax_disable_most_optimizations", True)
    try:
        yield
    finally:
        jax.config.update("jax_disable_most_optimizations", before)


def observe(program: Copy) -> list[Observation]:
    """Run a program, noting the values at its places."""
    observations: list[Observation] = []

    def probe(place: int, value: Any) -> Any:
        # The frame tells calls apart, and is kept: no other one gets its identity.
        observations.append(Observation(place, sys._getframe(1), describe(value)))
        return value

    _execute(program.source, "program", {PROBE: probe})
    return observations


def failure(source: str) -> Failure | None:
    """Run a program that should fail."""
    file = "mistaken program"
    try:
        _execute(source, file, {})
    except Exception as error:  # whatever the program raises is its failure
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file
        ]
        return Failure(error, lines[-1] or 0)
    return None


def _execute(source: str, file: str, names: dict[str, Callable[..., Any]]) -> None:
    """Run a program as Python runs a script: its classes are looked up in the module `__main__`."""
    module = types.ModuleType("__main__")
    module.__dict__.update(names)
    ours, sys.modules["__main__"] = sys.modules["__main__"], module
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - our own programs
    finally:
        sys.modules["__main__"] = ours
