"""jaxtyping: annotations are read by `contracts`; its import hook changes nothing of what a program computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.language.contracts import checker
from ..engine.libraries.overlay import Overlay, words
from ..engine.values.callables import Namespace

if TYPE_CHECKING:
    from ..engine.machine import Machine


def _hook(machine: Machine) -> Callable[..., Any]:
    """``jaxtyping.install_import_hook``: a context, or an object to uninstall it."""
    return lambda *_, **__: Namespace(uninstall=machine.natives.function(lambda: None))


OVERLAY = Overlay(
    library="jaxtyping",
    denied={
        "jaxtyping": words(
            """
            config ft importlib load_ipython_extension make_numpy_struct_dtype print_bindings set_array_name_format
            """
        )
    },
    annotates=True,
    checkers=words("jaxtyped"),
    functions={"jaxtyping.install_import_hook": _hook, "jaxtyping.jaxtyped": checker},
)
