"""Files, of which nothing is opened: what is read from one is some text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..language.attributes import Namespace
from ..values.unknowns import Many, Number

if TYPE_CHECKING:
    from ..machine import Machine


def opener(machine: Machine) -> Callable[..., Any]:
    """``open``: known are files of text that are read."""

    def opened(*args: Any, **options: Any) -> Any:
        mode = args[1] if len(args) > 1 else options.get("mode", "r")
        return _text_file(machine) if mode in ("r", "rt") else machine.left_out("open for bytes or to write")

    return opened


def _text_file(machine: Machine) -> Namespace:
    text = machine.natives.function(lambda *_: Number(str))
    return Namespace(
        read=text,
        readline=text,
        readlines=machine.natives.function(lambda *_: Many(Number(str))),
        close=machine.natives.function(lambda: None),
        __iter__=Many(Number(str)),
    )
