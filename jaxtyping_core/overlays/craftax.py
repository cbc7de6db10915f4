"""Craftax: what a player runs writes files."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="craftax",
    denied={
        "craftax.craftax": words("play_craftax"),
        "craftax.craftax_classic": words("play_craftax_classic"),
        "craftax.environment_base": words("util"),
    },
)
