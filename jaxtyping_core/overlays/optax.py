"""Optax: losses are functions of arrays, and updates change neither the shape nor the dtype of parameters.

The source of the second is the docstring of ``optax.apply_updates``: "with same structure, shape and type as `params`".
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay, words
from ..engine.values import arrays
from ..engine.values.trees import map_tree
from ..engine.values.unknowns import UNKNOWN, PureExternal, is_unknown

if TYPE_CHECKING:
    from ..engine.interpreter import Interpreter
    from ..engine.libraries.overlay import Maker


def _apply_updates(interpreter: Interpreter) -> Any:
    real = importlib.import_module("optax").apply_updates

    def apply_updates(params: Any = UNKNOWN, updates: Any = UNKNOWN) -> Any:
        if not (updates is UNKNOWN or isinstance(updates, PureExternal)) or is_unknown(params):
            return interpreter.of_library(real, [params, updates], {})
        interpreter.may_raise_epoch += 1
        return map_tree(_updated, params)

    return apply_updates


def _updated(leaf: Any) -> Any:
    """A parameter after an unknown update."""
    known = arrays.known_of(leaf)
    return UNKNOWN if known is None else arrays.array(known.dtype, False, known.shape)


_FUNCTIONS: dict[str, Maker] = {"optax.apply_updates": _apply_updates}
OVERLAY = Overlay(
    library="optax",
    is_onlooker=True,
    takes_lists=True,
    of_arrays=words("optax.losses"),
    functions=_FUNCTIONS,
)
