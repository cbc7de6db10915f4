"""Files: the engine opens none. A read gives an unknown text, or the text that the request has of the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...values.callables import Namespace
from ...values.paths import text_of
from ...values.unknowns import AbstractScalar, AbstractSequence

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Modes in which a file is read, as a text and as bytes.
OF_TEXT = ("r", "rt")
OF_BYTES = ("rb", "br")


class TextFile(Namespace):
    """A file that is open.

    Attributes:
        text: what is in it; None where that is not known.
    """

    def __init__(self, text: str | None, **names: Any) -> None:
        super().__init__("", **names)
        self.text = text


def opener(interpreter: Interpreter) -> Callable[..., Any]:
    """``open``: known are files of text that are read."""

    def opened(*args: Any, **options: Any) -> Any:
        path = text_of(args[0] if args else options.get("file"))
        mode = args[1] if len(args) > 1 else options.get("mode", "r")
        if mode in OF_TEXT:
            return _text_file(interpreter, interpreter.files.text_of(path))
        if mode in OF_BYTES and interpreter.files.has(path):
            unknown = interpreter.natives.function(lambda *_: interpreter.opaque("a file of bytes"))
            return TextFile(interpreter.files.text_of(path), read=unknown)
        if mode not in OF_BYTES:
            interpreter.files.change(path)
        return interpreter.opaque("open for bytes or to write")

    return opened


def text_at(interpreter: Interpreter, path: Any) -> Any:
    """The text of a file."""
    known = interpreter.files.text_of(text_of(path))
    return AbstractScalar(str) if known is None else known


def _text_file(interpreter: Interpreter, known: str | None) -> TextFile:
    function = interpreter.natives.function
    text = function(lambda *_: AbstractScalar(str))
    return TextFile(
        known,
        read=text if known is None else function(lambda *size: AbstractScalar(str) if size else known),
        readline=text,
        readlines=function(lambda *_: AbstractSequence(AbstractScalar(str))),
        close=function(lambda: None),
        __iter__=AbstractSequence(AbstractScalar(str)),
    )
