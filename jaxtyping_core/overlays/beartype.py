"""beartype: its checks are made by the engine, without its code."""

from __future__ import annotations

from ..engine.language.contracts import checker
from ..engine.libraries.overlay import Overlay, words

OVERLAY = Overlay(
    library="beartype",
    denied={"beartype": words("abby bite_func cave claw conf door meta peps plug roar vale")},
    checkers=words("beartype"),
    functions={"beartype.beartype": checker},
)
