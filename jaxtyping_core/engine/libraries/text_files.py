"""Files, of which nothing is opened: what is read from one is some text. Paths, of which nothing is looked up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..values.callables import Namespace
from ..values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, NumpyArray

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from .natives import Natives

#: Names of a path that give paths, in themselves and as methods.
PATHS = ("parent",)
GIVE_PATHS = (
    "absolute",
    "expanduser",
    "joinpath",
    "relative_to",
    "resolve",
    "with_name",
    "with_stem",
    "with_suffix",
)
GIVE_MANY = ("glob", "iterdir", "rglob")
TEXTS = ("name", "stem", "suffix")
GIVE_TEXTS = ("as_posix", "as_uri", "read_text")
GIVE_BOOLS = ("exists", "is_absolute", "is_dir", "is_file", "is_relative_to", "is_symlink")
#: What only works on files: nothing is done.
LEFT_OUT = (
    "chmod",
    "mkdir",
    "read_bytes",
    "rename",
    "replace",
    "rmdir",
    "stat",
    "touch",
    "unlink",
    "write_bytes",
    "write_text",
)


def opener(interpreter: Interpreter) -> Callable[..., Any]:
    """``open``: known are files of text that are read."""

    def opened(*args: Any, **options: Any) -> Any:
        mode = args[1] if len(args) > 1 else options.get("mode", "r")
        return (
            _text_file(interpreter)
            if mode in ("r", "rt")
            else interpreter.opaque("open for bytes or to write")
        )

    return opened


def _text_file(interpreter: Interpreter) -> Namespace:
    text = interpreter.natives.function(lambda *_: AbstractScalar(str))
    return Namespace(
        read=text,
        readline=text,
        readlines=interpreter.natives.function(lambda *_: AbstractSequence(AbstractScalar(str))),
        close=interpreter.natives.function(lambda: None),
        __iter__=AbstractSequence(AbstractScalar(str)),
    )


def loader(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.load``: an array, or the arrays of an archive by their names, which is closed after a ``with``."""

    def load(*_: Any, **options: Any) -> Any:
        unknown = interpreter.opaque("numpy.load")
        return unknown if options.get("allow_pickle") else NumpyArray(None, None)

    return load


def pathlib(natives: Natives) -> Namespace:
    """``pathlib``: paths of which nothing is known but that they are some."""
    make = _maker(natives)
    return Namespace(
        **{name: natives.function(_PathClass(make)) for name in ("Path", "PosixPath", "PurePath")}
    )


class _PathClass:
    """``pathlib.Path``. It holds a function alone, so that the state of the program that it is part of ends here."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self.cwd = self.home = self._make = make

    def __call__(self, *args: Any) -> Any:
        return self._make(*args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN


def _maker(natives: Natives) -> Callable[..., Namespace]:
    """What makes a path."""
    function, interpreter = natives.function, natives.interpreter

    def make(*_: Any) -> Namespace:
        path = Namespace(open=function(lambda *args, **options: opener(interpreter)(path, *args, **options)))
        gives: list[tuple[tuple[str, ...], Any]] = [
            (GIVE_PATHS, path),
            (GIVE_MANY, AbstractSequence(path)),
            (GIVE_TEXTS, AbstractScalar(str)),
            (GIVE_BOOLS, AbstractScalar(bool)),
        ]
        for names, result in gives:
            path.names |= dict.fromkeys(names, function(lambda *_, _result=result, **__: _result))
        for name in LEFT_OUT:
            path.names[name] = function(
                lambda *_, _name=name, **__: interpreter.opaque(f"pathlib.Path.{_name}")
            )
        path.names |= {**dict.fromkeys(PATHS, path), **dict.fromkeys(TEXTS, AbstractScalar(str))}
        path.names |= {
            "parents": AbstractSequence(path, True),
            "parts": AbstractSequence(AbstractScalar(str), True, tuple),
            "__truediv__": path,
        }
        return path

    return function(make)
