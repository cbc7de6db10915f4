"""Solvers of linear equations, of which a trace does not tell whether what they give is weak."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....dtypes import DTYPES
from ....sampling.solvers import SOLVERS
from ...values import arrays
from ...values.trees import leaves, mapped

if TYPE_CHECKING:
    from ...interpreter import Interpreter


def _native(path: str, interpreter: Interpreter) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    real = getattr(importlib.import_module(module), name)

    def solve(*args: Any, **kwargs: Any) -> Any:
        result = interpreter.of_library(real, list(args), kwargs)
        weak = _that_may_be_weak([args, kwargs])

        def of_leaf(leaf: Any) -> Any:
            known = arrays.known_of(leaf)
            is_open = known is not None and known.weak and (known.dtypes is None or known.dtypes <= weak)
            return arrays.of_known(replace(known, weak=None)) if is_open and known else leaf

        return mapped(of_leaf, result, otherwise=result)

    return solve


def _that_may_be_weak(arguments: Any) -> frozenset[str]:
    """The dtypes of the arrays that may be weak; a result of another dtype is no array like these, but a flag or a number."""
    try:
        known = [arrays.known_of(leaf) for leaf, _ in leaves(arguments)]
    except Exception:  # code of registered classes may raise anything: then no more is known
        return frozenset(DTYPES)
    return frozenset().union(
        *(each.dtypes or DTYPES for each in known if each is not None and each.weak is not False)
    )


FUNCTIONS = {path: functools.partial(_native, path) for path in SOLVERS}
