"""Typer: a command line of functions, whose options are their parameters. Nothing of it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN
from ._commands import call

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


class Declared(Namespace):
    """``typer.Option(...)``, which stands for the default of a parameter."""

    def __init__(self, default: Any) -> None:
        super().__init__()
        self.default = default


def _default_of(default: Any) -> Any:
    return default.default if isinstance(default, Declared) else default


def _namespaces(natives: Natives) -> dict[str, Any]:
    function = natives.function

    def declared(default: Any = None, *_: Any, **__: Any) -> Any:
        return Declared(UNKNOWN if default is ... else default)

    def run(target: Any = UNKNOWN) -> Any:
        return call(natives, target, _default_of)

    make = function(declared)
    return {"typer": Namespace("typer", run=function(run), Option=make, Argument=make)}


OVERLAY = Overlay(library="typer", instead=_namespaces)
