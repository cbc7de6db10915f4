"""Jumanji: `register` imports a module by its name, which `make` does for the library's own alone."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="jumanji", denied={"jumanji": words("register registration training wrappers viewer")}
)
