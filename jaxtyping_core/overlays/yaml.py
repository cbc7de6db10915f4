"""PyYAML: texts of data. Only its safe loader is called, which makes no objects; it is asked for the texts that are known."""

from __future__ import annotations

import contextlib
import importlib
import re
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.libraries.python import data_texts
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: The library, if it is installed.
LIBRARY: Any = None
with contextlib.suppress(ImportError):
    LIBRARY = importlib.import_module("yaml")

#: Lists and dicts within each other: the library takes the longer the more there are.
DEEPEST = 60
BRACKETS = re.compile(r"[\[\]{}]")
#: The loaders that give the same of plain data.
LOADERS = ("BaseLoader", "SafeLoader", "FullLoader", "Loader", "UnsafeLoader", "CSafeLoader", "CLoader")


def parse(text: str) -> Any:
    """The data in a text.

    Raises:
        Exception: there is none, it names classes, or PyYAML is not installed.
    """
    return load(text, LIBRARY.SafeLoader)


def load(text: str, loader: Any) -> Any:
    """The data in a text, by a loader that makes no objects.

    Raises:
        Exception: there is none, or none that is soon read.
    """
    depth = 0
    for mark in BRACKETS.findall(text):
        depth += 1 if mark in "[{" else -1
        if depth > DEEPEST:
            raise ValueError("too many lists within each other")
    return LIBRARY.load(text, Loader=loader)


def _namespaces(natives: Natives) -> dict[str, Any]:
    read = data_texts.reader(natives, parse)
    loaders = {name: Namespace() for name in LOADERS}

    def load(source: Any = UNKNOWN, Loader: Any = None) -> Any:  # noqa: N803  # its name in the library
        is_same = any(Loader is loader for name, loader in loaders.items() if name != "BaseLoader")
        return data_texts.parsed(parse, source) if is_same else UNKNOWN

    return {
        "yaml": Namespace(
            **dict.fromkeys(("safe_load", "full_load", "unsafe_load"), read),
            load=natives.function(load),
            dump=natives.function(
                lambda data=None, stream=None, **_: None if stream else AbstractScalar(str)
            ),
            safe_dump=natives.function(
                lambda data=None, stream=None, **_: None if stream else AbstractScalar(str)
            ),
            **loaders,
        )
    }


OVERLAY = Overlay(library="yaml", is_onlooker=True, instead=_namespaces)
