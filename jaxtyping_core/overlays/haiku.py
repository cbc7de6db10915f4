"""Haiku: its modules are layers."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay

OVERLAY = Overlay(library="haiku", has_layers=True)
