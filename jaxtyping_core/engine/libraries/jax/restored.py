"""Functions of libraries that read a tree from a file, for which they get a tree of the same arrays with other numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ....domain.values import PYTHON_NUMBERS
from ...values import arrays
from ...values.trees import mapped
from ...values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_anything

if TYPE_CHECKING:
    from ...interpreter import Interpreter


def restored(tree: Any) -> Any:
    """A tree with the dtypes and the shapes of another one."""
    return UNKNOWN if is_anything(tree) else mapped(_of_leaf, tree)


def _of_leaf(leaf: Any) -> Any:
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return arrays.array(str(leaf.dtype), False, tuple(leaf.shape))
    if type(leaf) in PYTHON_NUMBERS:
        return AbstractScalar(type(leaf))
    if isinstance(leaf, np.ndarray):
        return NumpyArray(leaf.dtype, leaf.shape)
    known = arrays.known_of(leaf)
    return leaf if known is None else arrays.of_known(replace(known, weak=False))


def reader(
    position: int, name: str, plainly: frozenset[str] = frozenset(), most: int = 2
) -> Callable[[Interpreter], Any]:
    """What stands for such a function.

    Args:
        position: where the tree is passed.
        name: the parameter that it is passed for.
        plainly: the other parameters with which nothing changes; with others nothing is known.
        most: how many arguments may be passed by their places.
    """

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        def read(*args: Any, **options: Any) -> Any:
            tree = args[position] if len(args) > position else options.get(name, UNKNOWN)
            is_plain = len(args) <= most and options.keys() <= plainly | {name}
            return restored(tree) if is_plain and tree is not None else UNKNOWN

        return read

    return make
