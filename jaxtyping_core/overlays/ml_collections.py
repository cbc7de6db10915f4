"""ml_collections: configurations whose attributes a program may assign to."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay

OVERLAY = Overlay(library="ml_collections", is_assignable=True)
