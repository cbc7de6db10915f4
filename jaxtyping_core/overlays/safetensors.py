"""safetensors: files of arrays by their names. Nothing of it is called. See https://huggingface.co/docs/safetensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values import heap
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import NumpyArray, OpenKey

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


def _namespaces(natives: Natives) -> dict[str, Any]:
    def load(*_: Any, **__: Any) -> Any:
        return heap.made({OpenKey("..."): NumpyArray(None, None)})

    function = natives.function(load)
    of_numpy = Namespace("safetensors.numpy", load_file=function, load=function)
    return {"safetensors": Namespace("safetensors", numpy=of_numpy), "safetensors.numpy": of_numpy}


OVERLAY = Overlay(library="safetensors", is_onlooker=True, may_fail=True, instead=_namespaces)
