"""Equinox: layers that are trees, and transformations that take arrays alone for arguments.

Where it makes code of texts, as `engine.libraries.trust.sealed` has it:

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `equinox._module._flatten` | `exec` with fields and `__qualname__` | `named_field`; `classes` sets `__qualname__` |
"""

from __future__ import annotations

from ..engine.libraries.jax.functions import same, sharded
from ..engine.libraries.jax.restored import reader
from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="equinox",
    denied={
        "equinox": words(
            """
            debug default_deserialise_filter_spec default_serialise_filter_spec internal tree_deserialise_leaves
            tree_pformat tree_pp tree_pprint tree_serialise_leaves
            """
        )
    },
    within=words("wadler_lindig"),
    takes_lists=True,
    has_layers=True,
    layers=words(
        """
        equinox.nn._attention equinox.nn._batch_norm equinox.nn._conv equinox.nn._dropout equinox.nn._embedding
        equinox.nn._linear equinox.nn._mlp equinox.nn._normalisation equinox.nn._pool equinox.nn._rnn
        """
    ),
    unchanged=words("equinox.nn"),
    key="key",
    transforms={
        "equinox.filter_jit": "traced",
        "equinox.filter_checkpoint": "traced",
        "equinox.filter_grad": "gradient",
        "equinox.filter_value_and_grad": "value and gradient",
        "equinox.filter_vmap": "batched",
    },
    numbers_stay=True,
    functions={
        "equinox.filter_shard": sharded,
        # It refuses arrays of other dtypes or shapes.
        "equinox.tree_deserialise_leaves": reader(1, "like", frozenset({"path_or_file"})),
        # What these find in the numbers they tell with all of the stack, which takes long, and the array stays as it is.
        **dict.fromkeys(("equinox.error_if", "equinox.branched_error_if"), same),
    },
)
