"""Solvers of linear equations, of which a trace does not tell whether what they give is weak."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...sampling.solvers import SOLVERS
from ..values import arrays
from ..values.trees import mapped

if TYPE_CHECKING:
    from ..interpreter import Interpreter


def _native(path: str, interpreter: Interpreter) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    real = getattr(importlib.import_module(module), name)

    def of_leaf(leaf: Any) -> Any:
        known = arrays.known_of(leaf)
        return arrays.of_known(replace(known, weak=None)) if known is not None and known.weak else leaf

    def solve(*args: Any, **kwargs: Any) -> Any:
        result = interpreter.of_library(real, list(args), kwargs)
        return mapped(of_leaf, result, otherwise=result)

    return solve


FUNCTIONS = {path: functools.partial(_native, path) for path in SOLVERS}
