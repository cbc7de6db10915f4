"""Pgx: its trained models are downloaded and unpickled, and pictures are written."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="pgx",
    denied={
        "pgx": words(
            "bridge_bidding download make_baseline_model save_svg save_svg_animation set_visualization_config"
        ),
        "pgx.bridge_bidding": words("BridgeBidding download_dds_results"),
    },
)
