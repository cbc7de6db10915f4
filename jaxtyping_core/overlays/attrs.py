"""attrs, under its newer name: see `attr`."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay
from .attr import namespaces

OVERLAY = Overlay(library="attrs", is_onlooker=True, instead=namespaces)
