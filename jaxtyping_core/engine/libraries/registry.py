"""The overlays of the libraries that are imported: what the engine asks of any of them.

An overlay that comes with this package is a module of the folder `overlays`, under the name of its library. It is loaded when
its library has been imported, by whatever: names that are denied are denied however a program reaches them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...sampling import package
from . import entry_points
from .overlay import Boxes, Calls, Overlay, Scopes

#: The folder of the overlays that come with this package, and what Python calls it here.
FOLDER = Path(__file__).parents[2] / "overlays"
PACKAGE = f"{__name__.partition('.')[0]}.{FOLDER.name}"
#: The name of the overlay in its module.
NAME = "OVERLAY"

_loaded: dict[str, Overlay] = {}
#: Why overlays of other packages could not be loaded.
problems: list[str] = []


@functools.cache
def libraries() -> frozenset[str]:
    """The libraries that have an overlay in this package."""
    paths = (path for path in FOLDER.iterdir() if not path.name.startswith("_"))
    return frozenset(path.stem for path in paths if path.is_dir() or path.suffix == ".py")


def load(named: Iterable[str] = ()) -> None:
    """Load the overlays of what has been imported, and of the libraries of these names, which need not be installed."""
    known = libraries() | entry_points.registered().keys()
    new = [name for name in known - _loaded.keys() if name in sys.modules or name in named]
    for name in sorted(new):
        _loaded[name] = _own(name) if name in libraries() else _registered(name)
    if new:
        for table in (
            denied,
            within,
            transforms,
            checks,
            compared,
            frozen_dicts,
            parts,
            surroundings,
            checkers,
            _names,
        ):
            table.cache_clear()


def _own(name: str) -> Overlay:
    overlay: Overlay = getattr(importlib.import_module(f"{PACKAGE}.{name}"), NAME)
    return overlay


def _registered(name: str) -> Overlay:
    """An overlay that another package has registered; an empty one where it cannot be loaded, and a note that says why."""
    place = entry_points.registered()[name]
    module, _, attribute = place.partition(":")
    try:
        with contextlib.suppress(ImportError):
            package.module("overlays")
        # Under its public name, too, this is the package that the engine has.
        sys.modules[f"{package.NAME}.{FOLDER.name}"] = importlib.import_module(PACKAGE)
        overlay = getattr(importlib.import_module(module.strip()), attribute.strip() or NAME)
        if not isinstance(overlay, Overlay):
            raise TypeError(f"{place} is no Overlay")
        if overlay.library != name:
            raise ValueError(f"it is the overlay of {overlay.library!r}")
    except Exception as error:  # code of another package may raise anything: it becomes a note
        problems.append(f"the overlay of {name} ({place}) cannot be loaded: {type(error).__name__}: {error}")
        return Overlay(library=name)
    return overlay


def loaded() -> Iterable[Overlay]:
    """The overlays that are loaded."""
    return _loaded.values()


def count() -> int:
    """How many overlays are loaded, for what is computed of all of them: another number says that there are more."""
    return len(_loaded)


def of(value: Any) -> Overlay | None:
    """The overlay of the library that has the class of an object."""
    return _loaded.get(str(type(value).__module__).partition(".")[0])


def is_onlooker(library: str) -> bool:
    """Whether the functions of a library keep nothing of what they are passed, and change nothing of it."""
    overlay = _loaded.get(library)
    names: frozenset[str] = importlib.import_module(PACKAGE).ONLOOKERS
    return library in names or (overlay is not None and overlay.is_onlooker)


def annotates(library: str) -> bool:
    """Whether annotations of a library say something of arrays."""
    overlay = _loaded.get(library)
    return overlay is not None and overlay.annotates


@functools.cache
def checkers() -> frozenset[str]:
    """The names of decorators of classes whose objects are checked when they are made."""
    return _union("checkers")


def has_layers(library: str) -> bool:
    """Whether objects of a library are layers, which only the program changes: what one does itself keeps dtypes and shapes."""
    overlay = _loaded.get(library)
    return overlay is not None and overlay.has_layers


def takes_lists(library: str) -> bool:
    """Whether the functions of a library take lists for arrays, or trees."""
    overlay = _loaded.get(library)
    return overlay is not None and overlay.takes_lists


def key_of(cls: type) -> str | None:
    """The parameter for the random key of a class of layers, if its library has such."""
    overlay = _loaded.get(cls.__module__.partition(".")[0])
    return None if overlay is None else overlay.key


@functools.cache
def denied() -> Mapping[str, frozenset[str]]:
    """The names that are not seen, by the module or class that has them."""
    return {path: names for overlay in loaded() for path, names in overlay.denied.items()}


def seals() -> Mapping[tuple[str, str], Any]:
    """What is put in the place of names of modules that make code of texts."""
    return {place: made for overlay in loaded() for place, made in overlay.seals.items()}


@functools.cache
def within() -> frozenset[str]:
    """Packages of which libraries hand out functions."""
    return _union("within")


@functools.cache
def transforms() -> Mapping[str, str]:
    """What transformations of functions do, by their paths."""
    return {path: kind for overlay in loaded() for path, kind in overlay.transforms.items()}


@functools.cache
def checks() -> Mapping[str, str]:
    """The functions that check arrays, with the attribute that they ask for."""
    return {path: attribute for overlay in loaded() for path, attribute in overlay.checks.items()}


@functools.cache
def compared() -> Mapping[str, Any]:
    """The functions that compare two arrays, with what finds these."""
    return {path: pair for overlay in loaded() for path, pair in overlay.compared.items()}


@functools.cache
def frozen_dicts() -> frozenset[str]:
    """The classes of dicts that may not be changed."""
    return _union("frozen_dicts")


@functools.cache
def parts(kind: str) -> tuple[Any, ...]:
    """What overlays have under an attribute such as "scopes", of those that have something."""
    return tuple(part for overlay in loaded() if (part := getattr(overlay, kind)) is not None)


def fields(value: Any) -> dict[str, Any] | None:
    """The attributes of an object of a library that has no dict of them; None where that is not known."""
    overlay = of(value)
    return None if overlay is None else overlay.fields(value)


def is_current(value: Any) -> bool | None:
    """Of an object that notes a trace, and says nothing of arrays, whether that trace is there; None for others."""
    overlay = of(value)
    return None if overlay is None else overlay.is_current(value)


def box_of(method: str, holder: Any) -> Boxes | None:
    """The objects with the items of an array among which one is, if its method is theirs."""
    return next((boxes for boxes in parts("boxes") if boxes.has(method, holder)), None)


def scopes_of(f: Any, layer: Any) -> Scopes | None:
    """The layers with scopes among which one is, or that declare something by `f`."""
    return next((each for each in parts("scopes") if each.has(type(layer)) or each.declares(f)), None)


def handler_of(f: Any) -> Calls | None:
    """What is called in place of an object."""
    return next((calls for calls in parts("calls") if calls.is_handled(f)), None)


@functools.cache
def surroundings() -> frozenset[str]:
    """Attributes of layers that are no parts of them."""
    return frozenset().union(*(each.SURROUNDINGS for each in parts("scopes")))


def is_in(module: Any, kind: str) -> bool:
    """Whether a module is one of those that overlays have under an attribute such as "layers"."""
    return str(module).startswith(_names(kind))


@functools.cache
def _names(kind: str) -> tuple[str, ...]:
    return tuple(sorted(_union(kind)))


def _union(kind: str) -> frozenset[str]:
    return frozenset().union(*(getattr(overlay, kind) for overlay in loaded()))


def class_path(value: Any) -> str:
    """The module and the name of an object's class."""
    return f"{type(value).__module__}.{type(value).__name__}"
