"""What JAX is told of the layer's array, so that its own functions take it: those of ``jax.lax`` and their kin, and ``jax.export``.

JAX looks up by type what an argument is to it, and what it computes with; for an array of the layer both are the value
inside. The two tables are no public interface of JAX: where it has others, its functions refuse arrays of the layer and
name `jax.numpy.array`.
"""

from __future__ import annotations

import contextlib
import operator
import sys
from typing import Any

import jax
from jax import export

from jaxtyping_core.numpy._array import Array

#: What ``jax.grad`` asks of the result of its function.
_OF_GRADIENTS = "_check_scalar"


def _type_of(array: Any) -> Any:
    """What ``jax.typeof`` says of the value inside.

    Raises:
        ValueError: ``jax.grad`` asks, which cannot take a pytree for the result.
    """
    if sys._getframe(2).f_code.co_name == _OF_GRADIENTS:
        raise ValueError(
            "jax.grad and jax.value_and_grad need a function that returns a JAX array, and this one returned an array of "
            "the layer. Use jaxtyping_core.numpy.grad, or return its .value"
        )
    try:
        return jax.typeof(array.value)
    except (
        TypeError
    ):  # a tree that holds None for a while: flax asks of it whether it is a reference to an array
        from jax._src import core

        return core.abstract_token


def register() -> None:
    """Enters the layer's array into JAX's tables."""
    with contextlib.suppress(ImportError, AttributeError):
        from jax._src import core, dtypes

        core.pytype_aval_mappings[Array] = _type_of
        dtypes.canonicalize_value_handlers[Array] = operator.attrgetter("value")
    export.register_pytree_node_serialization(
        Array,
        serialized_name="jaxtyping_core.numpy.Array",
        serialize_auxdata=lambda nothing: b"",
        deserialize_auxdata=lambda nothing: (),
    )
    # JAX flattens by other tables; of this one nnx of flax asks whether to take apart what a Variable holds, where it
    # keeps arrays whole. It would put a State of the value for the array.
    with contextlib.suppress(ImportError, AttributeError):
        from jax._src import tree_util

        tree_util._registry.pop(Array, None)
