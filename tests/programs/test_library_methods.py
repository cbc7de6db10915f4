"""Methods that a library jits, and that call those of the program's classes."""

from __future__ import annotations

import ast
import sys
import types
from typing import Any

import jax
import pytest

from jaxtyping_core.engine.interpreter import Interpreter
from jaxtyping_core.engine.language.imports import of_program
from jaxtyping_core.engine.libraries.trust.policy import TrustPolicy
from jaxtyping_core.settings import TRUSTED

NAME = "environments"
PROGRAM = """
import random
import jax
import jax.numpy as jnp
from environments import Environment
@jax.tree_util.register_static
class Own(Environment):
    def step_env(self, state, options):
        return state * options["scale"]
state = Own().step(jnp.ones(3, "bfloat16"), {"scale": random.random(), "n": 3})
"""


class Environment:
    """A class of a library."""

    @jax.jit
    def step(self: Any, state: Any, options: Any) -> Any:
        return self.step_env(state, options)


def test_an_unknown_number_in_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    library = types.ModuleType(NAME)
    monkeypatch.setattr(library, "Environment", Environment, raising=False)
    monkeypatch.setattr(Environment, "__module__", NAME)
    monkeypatch.setattr(Environment.step, "__module__", NAME)
    monkeypatch.setitem(sys.modules, NAME, library)
    texts = {"program": ("program.py", ast.parse(PROGRAM), False)}
    module = of_program(Interpreter(texts, TrustPolicy([*TRUSTED, NAME]), 60), "program")
    state = module.scope.variables["state"]
    assert (state.dtype.name, state.shape) == ("bfloat16", (3,))
