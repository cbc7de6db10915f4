"""jax-tqdm: a body of a loop with a progress bar takes and gives what it does without. Nothing of it is called.

See https://github.com/jeremiecoullon/jax-tqdm: ``scan_tqdm(n)`` and ``loop_tqdm(n)`` are decorators of bodies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _namespaces(natives: Natives) -> dict[str, Any]:
    body = natives.function(lambda function=UNKNOWN, *_, **__: function)
    decorator = natives.function(lambda *_, **__: body)
    return {"jax_tqdm": Namespace("jax_tqdm", scan_tqdm=decorator, loop_tqdm=decorator)}


OVERLAY = Overlay(library="jax_tqdm", is_onlooker=True, instead=_namespaces)
