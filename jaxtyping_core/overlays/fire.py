"""Python Fire: a command line of functions, whose options are their parameters. Nothing of it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN
from ._commands import call

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _namespaces(natives: Natives) -> dict[str, Any]:
    def fire(component: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        if type(component) is not dict:
            return call(natives, component)
        for each in component.values():
            call(natives, each)
        return UNKNOWN

    return {"fire": Namespace("fire", Fire=natives.function(fire))}


OVERLAY = Overlay(library="fire", instead=_namespaces)
