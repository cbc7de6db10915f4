"""Functions of libraries that are never called: what they give is known without that, or nothing that matters."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...language.operators import MOST_ITEMS
from ...values.callables import Namespace
from ...values.unknowns import AbstractScalar, AbstractSequence

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

Maker = Callable[["Interpreter"], Callable[..., Any]]


def _text(interpreter: Interpreter) -> Callable[..., Any]:
    return lambda *_, **__: AbstractScalar(str)


def _dedent(interpreter: Interpreter) -> Callable[..., Any]:
    def dedent(text: Any) -> Any:
        return textwrap.dedent(text) if type(text) is str and len(text) <= MOST_ITEMS else AbstractScalar(str)

    return dedent


#: Functions that make texts of any length of others.
FUNCTIONS: dict[str, Maker] = {
    **{f"textwrap.{name}": _text for name in ("fill", "indent", "shorten")},
    "textwrap.wrap": lambda interpreter: lambda *_, **__: AbstractSequence(AbstractScalar(str)),
    "textwrap.dedent": _dedent,
}


def namespaces(natives: Natives) -> dict[str, Any]:
    """`warnings`: which are shown is a matter of the process, and its functions import modules by name."""
    nothing = natives.function(lambda *_, **__: None)
    names = ("warn", "warn_explicit", "filterwarnings", "simplefilter", "resetwarnings")
    return {
        "warnings": Namespace(
            **dict.fromkeys(names, nothing),
            catch_warnings=natives.function(lambda *_, **__: Namespace()),
            deprecated=natives.function(lambda *_, **__: natives.function(lambda f: f)),
        )
    }
