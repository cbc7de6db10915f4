"""tyro: options of a command line that a class or a function declares. Nothing of it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.libraries.python.command_lines import of_dataclass
from ..engine.values.callables import STAR_ARGS, Namespace
from ..engine.values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: What a caller of ``tyro.cli`` says that changes no value.
ABOUT_HELP = frozenset({"prog", "description", "console_outputs"})


def _cli(natives: Natives) -> Callable[..., Any]:
    """``tyro.cli``: an object of a dataclass with any values of the declared types, or what a function gives of such."""

    def cli(target: Any = UNKNOWN, *args: Any, **options: Any) -> Any:
        if not isinstance(target, type):
            return natives.interpreter.call(target, [STAR_ARGS], {"**": STAR_ARGS})
        is_told_more = bool(args) or not options.keys() <= ABOUT_HELP
        return of_dataclass(natives.interpreter, target, is_told_more)

    return cli


def _namespaces(natives: Natives) -> dict[str, Any]:
    return {"tyro": Namespace(cli=natives.function(_cli(natives)))}


OVERLAY = Overlay(library="tyro", instead=_namespaces)
