"""tqdm: what it iterates over is what it is given. Nothing of it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _namespaces(natives: Natives) -> dict[str, Any]:
    iterated = natives.function(lambda iterable=UNKNOWN, *_, **__: iterable)
    counted = natives.function(lambda *args, **_: natives.interpreter.call(range, list(args), {}))
    progress = Namespace(tqdm=iterated, trange=counted)
    return dict.fromkeys(("tqdm", "tqdm.auto", "tqdm.notebook", "tqdm.rich"), progress)


OVERLAY = Overlay(library="tqdm", is_onlooker=True, instead=_namespaces)
