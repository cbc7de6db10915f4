"""Flashbax: its vaults are files."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(library="flashbax", denied={"flashbax": words("vault")})
