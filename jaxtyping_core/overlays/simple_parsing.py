"""simple_parsing: options of a command line that a dataclass declares, and a file of settings. Nothing of it is called."""

from __future__ import annotations

from ..engine.libraries.overlay import Overlay
from ..engine.libraries.python.command_lines import parse_dataclass
from ..engine.values.callables import Namespace

OVERLAY = Overlay(
    library="simple_parsing",
    instead=lambda natives: {"simple_parsing": Namespace(parse=natives.function(parse_dataclass(natives)))},
)
