"""Texts of data, such as JSON: a text that is known is parsed, and gives what a program would have of it.

The parsers make numbers, texts, lists and dicts, and nothing else: no object of a class, whatever the text says.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...values.callables import Namespace
from ...values.paths import KnownPath
from ...values.unknowns import UNKNOWN, AbstractScalar
from ..trust import gate
from .text_files import TextFile, text_at

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ..natives import Natives

#: Characters of a text that is parsed, and how deep what it says is.
MOST = 64_000
DEEPEST = 40
#: What data consists of.
SCALARS = (str, int, float, bool, type(None))
Parser = Callable[[str], Any]


def parsed(parse: Parser, source: Any) -> Any:
    """What a parser makes of a text, or of a file: unknown where that is not known, or no plain data.

    Args:
        parse: the parser, which may raise anything.
        source: the text, or the file that was opened.
    """
    text = source.text if isinstance(source, TextFile) else source
    if type(text) is not str or len(text) > MOST:
        return UNKNOWN
    try:
        data = parse(text)
    except Exception:  # what a parser refuses is unknown: another version may take it
        return UNKNOWN
    return _plain(data) if gate.is_small(data) else UNKNOWN


def _plain(data: Any, depth: int = 0) -> Any:
    """Data in which all is unknown that does not consist of numbers, texts, lists and dicts."""
    if type(data) is dict and depth < DEEPEST and all(type(key) in SCALARS for key in data):
        for key, each in data.items():
            data[key] = _plain(each, depth + 1)
        return data
    if type(data) is list and depth < DEEPEST:
        data[:] = [_plain(each, depth + 1) for each in data]
        return data
    return data if type(data) in SCALARS else UNKNOWN


def reader(natives: Natives, parse: Parser) -> Callable[..., Any]:
    """A function that reads a text or a file; with options nothing is known of what it gives."""
    return natives.function(lambda source=UNKNOWN, **options: UNKNOWN if options else parsed(parse, source))


def of_path(interpreter: Interpreter, path: Any) -> Any:
    """The text of a file that a library opens itself, by its path."""
    if isinstance(path, TextFile):
        return path.text
    return text_at(interpreter, path) if isinstance(path, (str, KnownPath)) else UNKNOWN


def namespaces(natives: Natives) -> dict[str, Any]:
    """Python's own modules that read such texts."""
    of_json, of_toml = reader(natives, json.loads), reader(natives, tomllib.loads)
    text = natives.function(lambda *_, **__: AbstractScalar(str))
    nothing = natives.function(lambda *_, **__: None)
    return {
        "json": Namespace(load=of_json, loads=of_json, dumps=text, dump=nothing),
        "tomllib": Namespace(load=of_toml, loads=of_toml),
    }
