"""opt_einsum: what finds an order of contractions is no computation of arrays."""

from __future__ import annotations

from ..engine.libraries.calls.limits import has_many_orders
from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="opt_einsum",
    denied={
        "opt_einsum": words(
            """
            BranchBound DynamicProgramming RandomGreedy backends blas helpers parser path_random paths
            shared_intermediates sharing testing
            """
        )
    },
    limits=dict.fromkeys(
        ("opt_einsum.contract", "opt_einsum.contract_path", "opt_einsum.contract_expression"), has_many_orders
    ),
)
