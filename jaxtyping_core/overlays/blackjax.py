"""BlackJAX: its samplers are called. Its bars of progress write files."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(library="blackjax", denied={"blackjax": words("progress_bar progress_reader")})
