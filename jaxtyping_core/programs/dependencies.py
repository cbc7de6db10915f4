"""What a call of a program's function may reach, by names alone: an edit of anything else leaves its answer as it was.

A definition of a module's top level is reached where its name stands in what is reached, in whatever module. All that runs when modules
are imported is always reached. The same name anywhere counts, as in `changes`: that is less precise, and never wrong.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jaxtyping_core.programs.definitions import LOOKED_UP, Unit, definitions

#: Names by which code reaches what it does not name.
ANYTHING = frozenset({"globals", "exec", "eval", "__import__", "import_module"})


class Reach:
    """The definitions of a program, and which of them each call may reach.

    Args:
        texts: the text of each module by its name; None for one of which nothing is known.
        rest: all else that answers depend on.
    """

    def __init__(self, texts: Mapping[str, str | None], rest: Mapping[str, Any]) -> None:
        self._read = {name: definitions(name, text or "") for name, text in texts.items()}
        self._by_name: dict[str, list[Unit]] = {}
        self._aliases: dict[str, set[str]] = {}
        for module in self._read.values():
            for unit in module.units:
                self._by_name.setdefault(unit.name, []).append(unit)
            for alias, name in module.aliases:
                self._aliases.setdefault(alias, set()).add(name)
        modules = {name.rpartition(".")[2] for name in texts} | {name.partition(".")[0] for name in texts}
        #: Names that may stand for modules of the program, and whether one of these may be the value of any other.
        self._modules = modules | {alias for alias, names in self._aliases.items() if names & modules}
        self._passed = any(not self._modules.isdisjoint(module.plain) for module in self._read.values())
        around = {name: module.around for name, module in self._read.items()}
        known = {name: text is not None for name, text in texts.items()}
        self._rest = _digest([rest, around, known])
        self._always = self._from(
            frozenset().union(*(module.words for module in self._read.values()), self._kept())
        )
        #: The definitions with a digest of what stands of each where it is not reached, and where it is.
        self._digested = [
            (unit, _digest([unit.module, unit.name, unit.head]), _digest([unit.line, unit.text]))
            for unit in self._units()
        ]
        self._digests: dict[frozenset[str], str] = {}
        self._definitions: dict[frozenset[str], str] = {}

    def digest(self, names: Iterable[str]) -> str:
        """A digest of all that a call of functions, or of objects of classes, of these names may reach."""
        key = frozenset(names)
        if key not in self._digests:
            reached = self._always | self._from(key)
            parts = [head + (whole if unit in reached else "") for unit, head, whole in self._digested]
            self._digests[key] = _digest([self._rest, parts])
        return self._digests[key]

    def definitions(self, names: Iterable[str]) -> str:
        """A digest of the definitions alone that a call of functions of these names may reach, whoever calls them."""
        key = frozenset(names)
        if key not in self._definitions:
            parts = sorted((unit.module, unit.name, unit.text) for unit in self._from(key))
            self._definitions[key] = _digest(parts)
        return self._definitions[key]

    def _units(self) -> list[Unit]:
        return [unit for module in self._read.values() for unit in module.units]

    def _kept(self) -> Iterator[str]:
        """The names of definitions that what decorates them, or what they are based on, may keep; and those in all heads."""
        units = self._units()
        spreading = {unit.name for unit in units if unit.spreads}
        for unit in units:
            yield from unit.at_import
            is_kept = any(name in self._by_name or name in self._aliases for name in unit.decorated)
            if is_kept or unit.name.startswith("__"):  # `__getattr__` of a module
                yield unit.name
        while more := {unit.name for unit in units if spreading & unit.bases} - spreading:
            spreading |= more
        yield from spreading

    def _from(self, words: frozenset[str]) -> frozenset[Unit]:
        """The definitions that are reached from names; all of them, where anything may be."""
        reached: set[Unit] = set()
        seen: set[str] = set()
        waiting = list(words)
        while waiting:
            word = waiting.pop()
            if word in seen:
                continue
            seen.add(word)
            if self._may_be_any(word):
                return frozenset(unit for module in self._read.values() for unit in module.units)
            waiting += self._aliases.get(word, ())
            for unit in self._by_name.get(word, ()):
                if unit not in reached:
                    reached.add(unit)
                    waiting += unit.words
        return frozenset(reached)

    def _may_be_any(self, word: str) -> bool:
        """Whether a name may lead to any definition: what it stands for, or a module of the program that is looked into."""
        name = word.removeprefix(LOOKED_UP)
        return word in ANYTHING or (name != word and (self._passed or name in self._modules))


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
