"""What a state of a program has of variables that the source does not change."""

from __future__ import annotations

from typing import Any

import pytest

from jaxtyping_core.evaluation.child.interpreter.scopes import Module
from jaxtyping_core.evaluation.child.interpreter.values.states import State


@pytest.mark.parametrize("steady", [False, True])
def test_only_what_may_change_is_gone_back_to(steady: bool) -> None:
    scope = Module("m", "m.py", False).scope
    kept: list[Any] = [1]
    scope.variables.update(kept=kept, count=0)
    scope.moving = frozenset({"count", "later"})
    before = State([scope], lambda _: (), steady=steady)
    kept.append(2)
    scope.variables.update(count=1, later=2)
    before.restore()
    assert scope.variables == {"kept": kept, "count": 0}
    assert kept == ([1] if steady else [1, 2])
