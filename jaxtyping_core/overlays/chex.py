"""Chex: assertions about arrays, dataclasses that are trees, and fakes of JAX's transformations."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="chex",
    denied={"chex": words("TestCase fake_jit fake_pmap fake_pmap_and_jit set_n_cpu_devices variants")},
    takes_lists=True,
    of_classes=("chex.dataclass", "chex.mappable_dataclass"),
    checks={
        "chex.assert_shape": "shape",
        "chex.assert_rank": "ndim",
        "chex.assert_type": "dtype",
        "chex.assert_equal_shape": "like",
    },
)
