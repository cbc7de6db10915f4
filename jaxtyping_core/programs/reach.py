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

#: What tells by names what may be changed: a list of them, or one for each module.
OF_NAMES = ("rebound", "changed", "outer", "assigned")


class Reach:
    """The definitions of a program, and which of them each call may reach.

    Args:
        texts: the text of each module by its name; None for one of which nothing is known.
        rest: all else that answers depend on; the names that may be changed are in `OF_NAMES`.
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
        self._given, self._around = rest, (around, known)
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

    def same_as_in(self, before: Reach) -> frozenset[Unit]:
        """The definitions of which the same is known as in the program `before`.

        That are none that are others, that name what may be changed now and was not, or the reverse, or that may reach one of these. Only
        the lines on which they stand do not count.
        """
        units, old = self._units(), before._units()
        changed = _differing(self._given, before._given)
        if changed is None or self._around != before._around:
            return frozenset()
        pairs = [*zip(units, old, strict=False)]
        if len(units) != len(old) or not all(_runs_as(unit, was) for unit, was in pairs):
            return frozenset()
        others = frozenset(
            unit for unit, was in pairs if unit.text != was.text or not changed.isdisjoint(unit.words)
        )
        around = (module.words for module in self._read.values())
        if not others.isdisjoint(self._always) or not all(map(changed.isdisjoint, around)):
            return frozenset()
        return frozenset(units) - self._leading_to(others)

    def _leading_to(self, others: frozenset[Unit]) -> frozenset[Unit]:
        """The definitions from which `others` are reached, and these: what `_from` says of each, told for all at once."""
        units = self._units()
        open_ended = [unit for unit in units if any(map(self._may_be_any, (unit.name, *unit.words)))]
        leading = {*others, *(open_ended if others else ())}
        while True:
            names = self._with_aliases({unit.name for unit in leading})
            is_new = (unit.name in names or not names.isdisjoint(unit.words) for unit in units)
            more = {unit for unit, new in zip(units, is_new, strict=True) if new} - leading
            if not more:
                return frozenset(leading)
            leading |= more

    def _with_aliases(self, names: set[str]) -> set[str]:
        """Names, and those by which imports call them."""
        while more := {alias for alias, meant in self._aliases.items() if meant & names} - names:
            names |= more
        return names

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


def _differing(rest: Mapping[str, Any], before: Mapping[str, Any]) -> frozenset[str] | None:
    """The names that are in one of two only; None if these differ in more."""
    names = frozenset[str]()
    for key in rest.keys() | before.keys():
        now, was = rest.get(key), before.get(key)
        if now == was:
            continue
        if key not in OF_NAMES or now is None or was is None:
            return None
        first, second = (
            frozenset[str]().union(*(each.values() if isinstance(each, dict) else [each]))
            for each in (now, was)
        )
        names |= first ^ second or first
    return names


def _runs_as(unit: Unit, was: Unit) -> bool:
    """Whether a definition, when its module is imported, certainly does what another one did, but for what it makes itself."""
    if (unit.module, unit.names, unit.head) == (was.module, was.names, was.head):
        return True
    same = (unit.module, unit.names, unit.at_import, unit.decorated, unit.bases, unit.spreads)
    is_same = same == (was.module, was.names, was.at_import, was.decorated, was.bases, was.spreads)
    return is_same and not unit.runs and not was.runs


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
