"""The evaluation context: a block is walked under another one, and the outer one is in force again after it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jaxtyping_core.engine import context as module
from jaxtyping_core.engine.context import EvalContext
from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.libraries.calls.captured import DimSubstitution
from jaxtyping_core.engine.libraries.trust.policy import TrustPolicy

CHILD = Path(module.__file__).parents[1]
FIELDS = frozenset(EvalContext.__dataclass_fields__)


def test_the_outer_context_is_in_force_again_after_an_exception() -> None:
    interpreter = Interpreter({}, TrustPolicy([]), 60.0)
    outer = interpreter.context
    with pytest.raises(ZeroDivisionError), interpreter.within(speculative=True, axis="rows"):
        assert interpreter.context.is_speculative
        assert interpreter.context.axes == ("rows",)
        raise ZeroDivisionError
    assert interpreter.context is outer


def test_only_what_changes_differs() -> None:
    sample = DimSubstitution([("n", 2)])
    inner = EvalContext().changed(speculative=True).changed(trying=True).changed(sample=sample)
    assert inner == EvalContext(is_speculative=True, try_depth=1, sample=sample, is_made_up=True)
    assert inner.changed() == inner


def test_what_a_retried_call_meets_is_certain() -> None:
    retried = EvalContext().changed(retrying=True)
    assert retried.is_retried
    assert retried.is_certain
    caught = retried.changed(trying=True)
    assert not caught.is_retried
    assert not caught.is_certain
    assert caught.changed(uncaught=True) == EvalContext()


def test_only_the_machine_changes_the_context() -> None:
    """No other module assigns it, or a field of it."""
    assigned = [
        f"{path.name}:{node.lineno}"
        for path in [*CHILD.rglob("*.py"), *(CHILD.parent / "overlays").rglob("*.py")]
        if path.name
        not in ("interpreter.py", "sites.py")  # a walk of a model keeps the context that it began in
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr in (*FIELDS, "context")
    ]
    assert not assigned
