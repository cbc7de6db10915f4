"""XLand-MiniGrid: `register` imports a module by its name, and benchmarks are downloaded and unpickled."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="xminigrid",
    denied={
        "xminigrid": words(
            """
            benchmarks load_benchmark load_benchmark_from_path manual_control register registration
            """
        ),
    },
)
