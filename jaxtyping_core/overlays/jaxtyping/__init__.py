"""jaxtyping: annotations are read by `contracts`; its import hook changes nothing of what a program computes.

Where it makes code of texts, as `engine.libraries.trust.sealed` has it:

| library | what | why nothing of the program gets there |
| --- | --- | --- |
| `jaxtyping._array_types` | dims: `eval` of an f-string, then of the result | `size_of_dim`: numbers, names, `+ - * // % **` |
| `jaxtyping._decorator` | `exec` of a signature; `get_type_hints` | `jaxtyped` is never called, only looked at |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...engine.language.contracts import checker
from ...engine.libraries.overlay import Overlay, words
from ...engine.values.callables import Namespace
from .dims import size_of_dim

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter


def _hook(interpreter: Interpreter) -> Callable[..., Any]:
    """``jaxtyping.install_import_hook``: a context, or an object to uninstall it."""
    return lambda *_, **__: Namespace(uninstall=interpreter.natives.function(lambda: None))


OVERLAY = Overlay(
    library="jaxtyping",
    denied={
        "jaxtyping": words(
            """
            config ft importlib load_ipython_extension make_numpy_struct_dtype print_bindings set_array_name_format
            """
        )
    },
    seals={("jaxtyping._array_types", "eval"): lambda _: size_of_dim},
    annotates=True,
    checkers=words("jaxtyped"),
    functions={"jaxtyping.install_import_hook": _hook, "jaxtyping.jaxtyped": checker},
)
