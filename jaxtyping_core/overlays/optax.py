"""Optax: losses are functions of arrays."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(library="optax", takes_lists=True, of_arrays=words("optax.losses"))
