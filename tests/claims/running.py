"""Runs a program, and tells what its places held and where it failed."""

from __future__ import annotations

import sys
import traceback
import types
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
from truth.probes import PROBE
from truth.programs import Array, Fact
from truth.recorder import Recorder

from .cases import ARGUMENTS, Case

#: The module that is not there, and from which programs have what is not known of them.
NOWHERE = "nowhere"
#: What the unknown is in runs of programs that do not say it; JAX refuses some of these in each of them.
VALUES = (
    *(0, 3, 1.5, True, np.float32(2), np.int64(2), jnp.int8(3), jnp.bfloat16(1), jnp.float32(2)),
    *(jnp.ones(3), jnp.arange(3), jnp.ones(3, "bfloat16"), jnp.full(3, 2), jnp.full(3, 2.0), jnp.ones(4) > 0),
    *(
        jnp.ones((4, 3)),
        jnp.arange(4),
        jnp.zeros((4, 2), "int8"),
        {"w": jnp.ones(3)},
        [jnp.ones(3)],
        (1, 2.0),
    ),
    *(jax.random.PRNGKey(0), jax.random.split(jax.random.PRNGKey(0), 4)),
    *(jax.random.key(0), jax.random.split(jax.random.key(0), 4)),
    *(lambda c, *r: (c, *r) if r else jnp.all(c > 9), None, lambda c, *r: c > 0),
)


class Failure(NamedTuple):
    """An error that ended a run, and the lines of the program that it went through."""

    error: Exception
    lines: frozenset[int]

    def __str__(self) -> str:
        return f"lines {sorted(self.lines)}: {type(self.error).__name__}: {self.error}"


class Runs(NamedTuple):
    """What was seen in all runs of a program: of its places by line and name, and an end for each run."""

    facts: Mapping[tuple[int, str], Sequence[Fact]]
    ends: Sequence[Failure | None]


def run(case: Case) -> Runs:
    """Run a program, with each of its arguments and whatever is unknown of it.

    What JAX refuses of an unknown value has nothing to do with a claim: what was seen before that is dropped.
    """
    unknown = [eval(text, {"jax": jax, "jnp": jnp, "np": np}) for text in case.directives.unknown]
    values = unknown or (VALUES if has_unknown(case) else [None])
    facts: dict[tuple[int, str], list[Fact]] = {}
    ends: list[Failure | None] = []
    for arguments in case.directives.argv or [ARGUMENTS]:
        for value in values:
            recorder = Recorder()
            ends.append(_ended(case, recorder, arguments, value))
            if ends[-1] is None or not has_unknown(case):
                _add(facts, recorder)
    return Runs(facts, ends)


def _add(facts: dict[tuple[int, str], list[Fact]], recorder: Recorder) -> None:
    """Add what was seen in a run; the places of a name in a line are in their order."""
    counts: Counter[tuple[int, str]] = Counter()
    for seen in sorted(recorder.facts()["places"], key=lambda seen: seen["column"]):
        key = seen["line"], seen["name"]
        of_key, number = facts.setdefault(key, []), counts[key]
        counts[key] += 1
        if number == len(of_key):
            of_key.append(Fact(()))
        arrays = [Array(each["dtype"], each["weak"], tuple(each["shape"])) for each in seen["arrays"]]
        of_key[number] = Fact(
            (*dict.fromkeys([*of_key[number].arrays, *arrays]),),
            (*dict.fromkeys([*of_key[number].others, *seen["others"]]),),
        )


def has_unknown(case: Case) -> bool:
    """Whether something of a program is not known, so that a run may end in an error."""
    return f"from {NOWHERE} import" in case.text


def variables_of(case: Case, unknown: Any) -> dict[str, Any]:
    """The variables of a program at its end, of which something is `unknown`.

    Raises:
        Exception: whatever the program raises.
    """
    names = {"__name__": case.module}
    sys.modules[NOWHERE] = _nowhere(unknown)
    try:
        exec(compile(case.text, case.file, "exec"), names)  # noqa: S102  # a program of ours
    finally:
        del sys.modules[NOWHERE]
    return names


def _nowhere(value: Any) -> types.ModuleType:
    """The module that has what is not known of a program."""
    module = types.ModuleType(NOWHERE)
    vars(module)["__getattr__"] = lambda _: value
    return module


def _ended(case: Case, recorder: Recorder, arguments: Sequence[str], value: Any) -> Failure | None:
    """Run a program once; `value` is what is not known of it."""
    file = f"{case.module}.py"
    names = {"__name__": "__main__", PROBE: recorder.probe}
    sys.modules[NOWHERE] = _nowhere(value)
    try:
        with mock.patch.object(sys, "argv", [file, *arguments]), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(recorder.compiled(case.text.encode(), file), names)  # noqa: S102  # a program of ours
    except Exception as error:  # whatever a program raises: where it does is compared
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == file]
        return Failure(error, frozenset(line for line in lines if line is not None))
    finally:
        del sys.modules[NOWHERE]
    return None
