"""CLU: its metrics are called. What writes files, reads data sets and measures devices is not."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="clu",
    denied={
        "clu": words(
            """
            asynclib checkpoint data deterministic_data grain metric_writers parameter_overview periodic_actions
            platform preprocess_spec profiler test_utils torch_checkpoint_converter values
            """
        )
    },
)
