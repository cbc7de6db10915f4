"""jraph: its examples unpickle files."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(library="jraph", denied={"jraph": words("ogb_examples")})
