"""Flax: modules of linen, whose arrays are in scopes, and of nnx, whose arrays are in variables.

Where it makes code of texts, as `engine.libraries.trust.sealed` has it:

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `flax.linen.Module.apply(method=)` | attributes by their names | `gate`: no special names |
"""

from __future__ import annotations

from ...engine.libraries.overlay import Overlay, words
from . import files, linen, variables

OVERLAY = Overlay(
    library="flax",
    denied={
        "flax": words("config io jax_utils metrics serialization"),
        "flax.training": words("checkpoints common_utils lr_schedule orbax_utils prefetch_iterator"),
    },
    within=words("treescope"),
    takes_lists=True,
    has_layers=True,
    is_assignable=True,
    layers=words(
        """
        flax.linen.attention flax.linen.linear flax.linen.normalization flax.linen.stochastic
        flax.nnx.nn.attention flax.nnx.nn.linear flax.nnx.nn.normalization flax.nnx.nn.stochastic
        """
    ),
    of_arrays=words("flax.linen.activation flax.linen.pooling"),
    unchanged=words("flax.linen flax.nnx.nn.linear"),
    transforms={
        "flax.nnx.jit": "same",
        "flax.nnx.remat": "same",
        "flax.nnx.grad": "gradient",
        "flax.nnx.value_and_grad": "value and gradient",
        "flax.nnx.vmap": "batched",
        "flax.nnx.cached_partial": "partial",
    },
    restoring=words("flax.nnx"),
    of_classes=("flax.struct.dataclass", "flax.nnx.dataclass"),
    namespaces=files.namespaces,
    frozen_dicts=words("flax.core.frozen_dict.FrozenDict"),
    is_current=variables.is_current,
    fields=variables.fields,
    differentiated=variables.differentiated,
    boxes=variables,
    scopes=linen,
)
