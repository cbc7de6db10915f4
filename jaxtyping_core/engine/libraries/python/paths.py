"""Paths: the engine knows the texts of those that a program makes of constants. It never looks at the disk."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ...values.callables import Method, Namespace
from ...values.paths import KnownPath, text_of
from ...values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence
from .text_files import opener, text_at

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

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
#: Methods that give the same path, as far as files are looked up by it, and those that compute with texts alone.
SAME = frozenset({"absolute", "expanduser", "resolve"})
COMPUTED = frozenset({"joinpath", "with_name", "with_stem", "with_suffix"})
GIVE_MANY = ("glob", "iterdir", "rglob")
TEXTS = ("name", "stem", "suffix")
GIVE_TEXTS = ("as_posix", "as_uri", "read_text")
GIVE_BOOLS = ("exists", "is_absolute", "is_dir", "is_file", "is_relative_to", "is_symlink")
#: What is true of a file of which the text is known.
TRUE_OF_FILES = frozenset({"exists", "is_file"})
#: What only works on files: nothing is done. After some the text is another one.
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
CHANGING = frozenset({"rename", "replace", "unlink", "write_bytes", "write_text"})
#: Functions of `os.path` that compute with texts alone, and those that give the same path, as far as files are looked up by it.
OF_TEXTS = ("basename", "dirname", "join", "normpath")
OF_PATHS = ("abspath", "expanduser", "realpath")
OF_FILES = ("exists", "isfile")


def attribute(interpreter: Interpreter, path: KnownPath, name: str) -> Any:
    """An attribute of a path that is known."""
    pure = PurePosixPath(path.text)
    # A path that is not absolute may stand for one that is: then there is more above it.
    is_all = not pure.is_absolute() and pure.parts in ((), ("..",))
    if name in TEXTS:
        return AbstractScalar(str) if is_all else getattr(pure, name)
    if name == "parent":
        return _any_path(interpreter) if is_all else KnownPath(str(pure.parent))
    if name == "parents":
        return _parents(interpreter, pure)
    if (
        name in GIVE_PATHS
        or name in GIVE_TEXTS
        or name in TRUE_OF_FILES
        or name in CHANGING
        or name == "open"
    ):
        return Method(path, name)
    return interpreter.attribute(_any_path(interpreter), name)


def _parents(interpreter: Interpreter, pure: PurePosixPath) -> Any:
    """The folders that a path is in. Above one that is not absolute there may be more."""
    parents = tuple(KnownPath(str(parent)) for parent in pure.parents)
    if pure.is_absolute():
        return parents

    def item(index: Any = UNKNOWN) -> Any:
        is_known = type(index) is int and 0 <= index < len(parents)
        return parents[index] if is_known else _any_path(interpreter)

    return Namespace(
        __getitem__=interpreter.natives.function(item), __iter__=_any_path(interpreter).names["parents"]
    )


def call_method(
    interpreter: Interpreter, path: KnownPath, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    """What a method of such a path gives."""
    if name in SAME or name == "as_posix":
        return path
    if name in COMPUTED:
        return _computed(interpreter, getattr(PurePosixPath(path.text), name), args)
    if name in TRUE_OF_FILES:
        return _is_there(interpreter, path)
    if name == "read_text":
        return text_at(interpreter, path)
    if name == "open":
        return opener(interpreter)(path, *args, **kwargs)
    if name in CHANGING:
        interpreter.files.change(path.text)
    return interpreter.call(interpreter.attribute(_any_path(interpreter), name), args, kwargs)


def operate(interpreter: Interpreter, name: str, args: list[Any]) -> Any:
    """What an operator gives of paths that are known: ``path / "file"``."""
    if name == "truediv":
        return _computed(interpreter, PurePosixPath, args)
    if name == "add":
        return joined(args) or AbstractScalar(str)
    return AbstractScalar(bool) if name in ("eq", "ne", "lt", "le", "gt", "ge") else UNKNOWN


def joined(parts: list[Any]) -> KnownPath | None:
    """Texts and paths, one after the other; None where some are not known."""
    texts = [*map(text_of, parts)]
    return KnownPath("".join(map(str, texts))) if all(type(text) is str for text in texts) else None


def _computed(interpreter: Interpreter, compute: Callable[..., PurePosixPath], args: Any) -> Any:
    """The path that a function makes of texts; an unknown path if a text is unknown."""
    texts = [*map(text_of, args)]
    if not all(type(text) is str for text in texts):
        return _any_path(interpreter)
    try:
        return KnownPath(str(compute(*texts)))
    except ValueError as error:  # what `pathlib` raises is what the program would meet
        return interpreter.failed(error)


def _is_there(interpreter: Interpreter, path: Any) -> Any:
    return True if interpreter.files.has(text_of(path)) else AbstractScalar(bool)


def _any_path(interpreter: Interpreter) -> Any:
    return interpreter.natives.whole["pathlib"].names["Path"].home()


def namespaces(natives: Natives) -> dict[str, Any]:
    """`pathlib`, and what of `os` computes with paths: of the rest nothing is known."""
    of_paths = _of_os(natives)
    return {"pathlib": _pathlib(natives), "os": Namespace(path=of_paths), "os.path": of_paths}


def _of_os(natives: Natives) -> Namespace:
    interpreter = natives.interpreter

    def of_texts(name: str) -> Callable[..., Any]:
        def computed(*args: Any) -> Any:
            texts = [*map(text_of, args)]
            is_known = all(type(text) is str for text in texts) and texts
            if not is_known or (name != "join" and texts[0] in ("", ".", "..")):
                return AbstractScalar(str)
            text = getattr(posixpath, name)(*texts)
            return KnownPath(text) if any(type(arg) is KnownPath for arg in args) else text

        return natives.function(computed)

    def same(path: Any = UNKNOWN) -> Any:
        text = text_of(path)
        return KnownPath(text) if type(text) is str else AbstractScalar(str)

    is_there = natives.function(lambda path=UNKNOWN: _is_there(interpreter, path))
    return Namespace(
        **{name: of_texts(name) for name in OF_TEXTS},
        **dict.fromkeys(OF_PATHS, natives.function(same)),
        **dict.fromkeys(OF_FILES, is_there),
    )


def _pathlib(natives: Natives) -> Namespace:
    any_path = _maker(natives)

    def make(*args: Any) -> Any:
        return _computed(natives.interpreter, PurePosixPath, args)

    return Namespace(
        **{name: natives.function(_PathClass(make, any_path)) for name in ("Path", "PosixPath", "PurePath")}
    )


class _PathClass:
    """``pathlib.Path``. It holds functions alone, so that the state of the program that it is part of ends here."""

    def __init__(self, make: Callable[..., Any], any_path: Callable[..., Any]) -> None:
        self._make, self.home = make, any_path
        self.cwd = any_path

    def __call__(self, *args: Any) -> Any:
        return self._make(*args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN


def _maker(natives: Natives) -> Callable[..., Namespace]:
    """A function that gives an unknown path."""
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
