"""How Hydra composes a configuration of files of YAML and of what a program stores: by the lists of defaults in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...engine.libraries.python.data_texts import parsed
from ...engine.values.records import Lost, fields_of
from ..omegaconf import of_text, parse
from ..omegaconf.nodes import DictConfig, config_of, fields_without, merge_into, put_at, selected

DEFAULTS, ITSELF = "defaults", "_self_"
#: What a file says in its first lines of where its entries belong.
PACKAGE = re.compile(r"^[ \t]*#[ \t]*@package[ \t]+(\S+)[ \t]*$", re.MULTILINE)
OF_ROOT, OF_GROUP = "_global_", "_group_"
#: Entries that are about the run, and no part of the configuration.
OF_RUN = "hydra"
#: Files that are looked for, and how many lead to others.
MOST = 400
DEEPEST = 20
WORD = re.compile(r"[\w/.-]+")
#: A value that is read as YAML reads it.
VALUE = re.compile(r"[\w./+-]+|\[[\w., +-]*\]")


@dataclass(frozen=True)
class Part:
    """A configuration that others name, and where its entries belong; None is the place of its group."""

    config: DictConfig
    package: str | None = None

    def place(self, package: str, is_written: bool) -> str:
        """The package of its entries, where those of its group belong to `package`, or a list of defaults writes that."""
        if self.package in (None, OF_GROUP) or is_written:
            return package
        return _below("", self.package or "")


@dataclass
class Sources:
    """Where configurations are found.

    Attributes:
        text_of: the text of the file with a path; None where there is none.
        folder: the folder of the files; None where there is none.
        stored: what the program stores, by group and name.
        count: how many configurations have been looked for.
        chosen: the options of groups, also at a package, that are chosen in place of those in lists of defaults.
    """

    text_of: Callable[[str], str | None]
    folder: str | None
    stored: Mapping[str, Part] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)
    count: int = 0

    def find(self, path: str) -> Part | None:
        """The configuration of a group and a name; None if there is none.

        Raises:
            Lost: it cannot be read.
        """
        self.count += 1
        if self.count > MOST:
            raise Lost
        path = path.removesuffix(".yaml").lstrip("/")
        if path in self.stored:
            return self.stored[path]
        text = None if self.folder is None else self.text_of(posixpath.join(self.folder, f"{path}.yaml"))
        if text is None:
            return None
        config, package = of_text(text), PACKAGE.search(text)
        if not isinstance(config, DictConfig):
            raise Lost
        return Part(config, package[1] if package else None)


class Again(Exception):
    """Another option of a group is chosen than the one that has been composed."""


def compose(sources: Sources, name: str, overrides: Iterable[str] = ()) -> DictConfig:
    """The configuration of a name with all that its defaults name.

    Args:
        sources: where configurations are found.
        name: the name of the outermost one.
        overrides: changes, such as ``model.dim=3``, or ``model=large`` for the option of a group.

    Raises:
        Lost: some of that is not known, or is not there.
    """
    part = sources.find(name)
    if part is None:
        raise Lost
    entries = [_override(sources, text) for text in overrides]
    group = posixpath.dirname(name.strip("/"))
    for _ in range(DEEPEST):
        composed = config_of({})
        try:
            _add(composed, sources, part.config, group, part.place(_package_of(group), False), 0)
        except Again:
            continue
        for path, value in filter(None, entries):
            put_at(composed, path, value)
        return fields_without(composed, OF_RUN)
    raise Lost


def _override(sources: Sources, text: str) -> tuple[str, Any] | None:
    """The path and the value that an override gives; None for one of a group, whose option is chosen."""
    path, is_set, value = text.lstrip("+").partition("=")
    if text.startswith("~") or not is_set or not WORD.fullmatch(path) or not VALUE.fullmatch(value):
        raise Lost
    if sources.find(posixpath.join(path, value)) is None:
        return path, parsed(parse, value)
    if text.startswith("+"):
        raise Lost
    sources.chosen[path] = value
    return None


def _add(
    composed: DictConfig, sources: Sources, config: DictConfig, group: str, package: str, depth: int
) -> None:
    """Add a configuration of a group, and what its defaults name, below a package of the composed one."""
    if depth > DEEPEST:
        raise Lost
    defaults = _defaults_of(config)
    if not any(map(_is_itself, defaults)):
        defaults.append(ITSELF)
    for entry in defaults:
        if _is_itself(entry):
            _merge_at(composed, package, fields_without(config, DEFAULTS))
            continue
        for path, into in _named(entry, sources, group):
            inner = sources.find(path)
            if inner is None:
                raise Lost
            place = inner.place(_below(package, into.written or into.of_group), bool(into.written))
            _add(composed, sources, inner.config, posixpath.dirname(path), place, depth + 1)


def _is_itself(entry: Any) -> bool:
    return type(entry) is str and entry == ITSELF


def _below(package: str, inner: str) -> str:
    """A package within another one, or one that begins at the root."""
    first, _, rest = inner.partition(".")
    return rest if first == OF_ROOT else ".".join(filter(None, [package, inner]))


class Into(NamedTuple):
    """Where the entries of a configuration belong: the package that a list of defaults writes, or that of their group."""

    written: str
    of_group: str


def _defaults_of(config: DictConfig) -> list[Any]:
    defaults = fields_of(config).get(DEFAULTS, [])
    if not isinstance(defaults, list):
        raise Lost
    return list(defaults)


def _named(entry: Any, sources: Sources, group: str) -> Iterator[tuple[str, Into]]:
    """The paths of the configurations that an entry of a list of defaults names, and where each belongs.

    Raises:
        Lost: the entry is not known, or names what is to be given elsewhere.
    """
    if type(entry) is str:
        path, written = _with_package(entry)
        yield _absolute(path, group), Into(written, _package_of(posixpath.dirname(path)))
        return
    if not isinstance(entry, DictConfig) or len(fields_of(entry)) != 1:
        raise Lost
    ((key, option),) = fields_of(entry).items()
    *how, name = str(key).split()
    named, written = _with_package(name)
    path = _absolute(named, group)
    if path.split("/")[0] == OF_RUN:
        return
    place = f"{path}@{written}" if written else path
    if "override" in how:
        if place not in sources.chosen:
            sources.chosen[place] = option
            raise Again
        return
    option = sources.chosen.get(place, option)
    for each in option if isinstance(option, list) else [option]:
        if each is None:
            continue
        if type(each) is not str or not WORD.fullmatch(each):
            raise Lost
        if "optional" not in how or sources.find(posixpath.join(path, each)) is not None:
            yield posixpath.join(path, each), Into(written, _package_of(named))


def _with_package(name: str) -> tuple[str, str]:
    path, is_given, package = name.partition("@")
    if not WORD.fullmatch(path) or (is_given and not WORD.fullmatch(package)):
        raise Lost
    return path.removesuffix(".yaml"), package


def _package_of(group: str) -> str:
    return group.strip("/").replace("/", ".")


def _absolute(path: str, group: str) -> str:
    return path[1:] if path.startswith("/") else posixpath.join(group, path)


def _merge_at(composed: DictConfig, package: str, config: DictConfig) -> None:
    """Take over entries below a package."""
    if not package:
        merge_into(composed, config)
        return
    held = selected(composed, package, None)
    if not isinstance(held, DictConfig):
        put_at(composed, package, config)
    else:
        merge_into(held, config)
