"""Programs about rules are run: what is reported is what happens there, and nowhere else.

`FACTS` has for each rule what JAX and NumPy tell of a program while it is run.
"""

from __future__ import annotations

import ast
import functools
import logging
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import jax
import numpy as np
import pytest
from jax.experimental import checkify

from claims import running
from claims.cases import CASES, Case


def run(case: Case, unknown: Any = None) -> dict[str, Any]:
    """The variables of the program at its end."""
    jax.clear_caches()  # JAX warns only where it traces
    return running.variables_of(case, unknown)


def is_narrowed(case: Case, unknown: Any) -> bool:
    """Whether JAX warns that a dtype is narrowed."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run(case, unknown)
    return any("Explicitly requested dtype" in str(each.message) for each in seen)


def is_outside(case: Case, unknown: Any) -> bool:
    """Whether JAX's own checks say that an index is outside; they do not see what says that it does not matter."""
    checked = checkify.checkify(lambda: run(case, unknown) and 0, errors=checkify.index_checks)
    return checked()[0].get() is not None and "mode=" not in case.text


#: What JAX logs before it compiles a function.
COMPILING = re.compile(r"Compiling jit\((\S+)\)")


class Logged(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


#: What JAX warns of where two arrays of other ranks meet: a row and a column of one length.
ROW_AND_COLUMN = re.compile(r"on shapes (?:\((\d+),\) \(\1, 1\)|\((\d+), 1\) \(\2,\))")
#: What makes a column on purpose.
ON_PURPOSE = ("None", "newaxis", "reshape", "keepdims")


def is_square(case: Case, unknown: Any) -> bool:
    """Whether JAX warns that a row meets a column of its length, and nothing in the text makes that column."""
    with jax.numpy_rank_promotion("warn"), warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run(case, unknown)
    is_made = any(ROW_AND_COLUMN.search(str(each.message)) for each in seen)
    return is_made and not any(word in case.text for word in ON_PURPOSE)


def is_changed(case: Case, unknown: Any) -> bool:
    """Whether the array `x` of the program has other numbers than the `exact` ones that it names."""
    variables = run(case, unknown)
    return bool(np.asarray(variables["x"]).tolist() != variables["exact"])


def is_passed_over(case: Case, unknown: Any) -> bool:
    """Whether a call of `functools.singledispatch` takes another function for a traced array than for an array."""
    seen: list[bool] = []
    real = functools.singledispatch

    def observed(default: Any) -> Any:
        choice = real(default)

        @functools.wraps(choice)
        def watched(value: Any, *args: Any) -> Any:
            is_other = choice.dispatch(type(value)) is not choice.dispatch(jax.Array)
            seen.append(isinstance(value, jax.core.Tracer) and is_other)
            return choice(value, *args)

        watched.__dict__["register"] = choice.register
        return watched

    with mock.patch.object(functools, "singledispatch", observed):
        run(case, unknown)
    return any(seen)


def is_compiled_again(case: Case, unknown: Any) -> bool:
    """Whether JAX tells that it compiles a function of the program twice."""
    nodes = ast.walk(ast.parse(case.text))
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef)} | {"<lambda>"}
    told = Logged()
    logger = logging.getLogger("jax")
    logger.addHandler(told)
    try:
        with jax.log_compiles():
            run(case, unknown)
    finally:
        logger.removeHandler(told)
    compiled = Counter(match[1] for text in told.texts if (match := COMPILING.match(text)))
    return any(compiled[name] > 1 for name in names)


#: Programs that ask for float32, or keep sums, statistics and parameters in it.
MEANT = {
    "a norm of Flax in float32 on purpose",
    "a body of a scan in float32",
    "rows under vmap with the dtype asked for",
    "parameters in float32 that are updated",
}


def is_widened(case: Case, unknown: Any) -> bool:
    """Whether the array `x` of the program ends up in more bits than it has begun with, and that is not meant."""
    return bool(run(case, unknown)["x"].dtype.itemsize > 2) and case.name not in MEANT


def is_not_finite(case: Case, unknown: Any) -> bool:
    """Whether the `slope` of the program has a number that is NaN or infinite."""
    leaves = jax.tree.leaves(run(case, unknown)["slope"])
    return not all(np.isfinite(leaf).all() for leaf in leaves)


#: For each rule, by its cases' file, whether what it is about happens in a run.
FACTS: dict[str, Callable[[Case, Any], bool]] = {
    "rule_x64_lost": is_narrowed,
    "rule_index_bounds": is_outside,
    "rule_outer_broadcast": is_square,
    "rule_int_overflow": is_changed,
    "rule_traced_dispatch": is_passed_over,
    "rule_recompile": is_compiled_again,
    "rule_recompile_objects": is_compiled_again,
    "rule_widening": is_widened,
    "rule_nan_gradient": is_not_finite,
    "rule_nan_gradient_perhaps": is_not_finite,
}


def parameters() -> Iterator[Any]:
    for case in CASES:
        if case.file.removesuffix(".py") in FACTS:
            for text in case.directives.unknown or ("None",):
                yield pytest.param(case, text, id=f"{case.id}: {text}")


@pytest.mark.sweep("truth")
@pytest.mark.parametrize(("case", "unknown"), [*parameters()])
def test_what_is_reported_happens(case: Case, unknown: str) -> None:
    happens = FACTS[case.file.removesuffix(".py")](case, eval(unknown))
    assert happens == bool(case.errors)


@pytest.mark.parametrize("file", FACTS)
def test_there_are_as_many_right_programs(file: str) -> None:
    of_rule = [case for case in CASES if case.file.removesuffix(".py") == file]
    wrong = [case for case in of_rule if case.errors]
    assert len(wrong) >= 8 and len(of_rule) == 2 * len(wrong)
