"""Calls that are tried with several things for what is unknown, and whose effects are kept: what all of them have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ....sampling.calls import Budget, Refused, Values, abstract_call
from ....sampling.calls import Trials as Samples
from ....sampling.proof import Evidence, Known
from ....sampling.tables.numbers import OPTION_OF_TYPE
from ...control import RaisedException
from ...values import arrays, heap
from ...values.contents import no_scopes, put
from ...values.conversions import as_array
from ...values.joins import join, of_all_ways
from ...values.states import Snapshot, merge_contents
from ...values.unknowns import ConcretizationError, is_dim, is_scalar
from .. import registry
from .choices import changed
from .sizes import leaf_at, resized, symbols_of

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: `Trials` joins what samples give, and what they leave behind.
JOINED = Values(lambda _, common: common, lambda common, _: common, lambda _: False)


class Trials:
    """Trials of one call. After each, everything within reach holds what it held before.

    Args:
        subject: the object that is called, or whose method is.

    Attributes:
        results: what the accepted trials gave.
        common: what that has in common.
        symbols: the unknown sizes, as JAX writes them, in what the call can reach.
        has_effects: whether an accepted trial has put something new into what was there before.
    """

    def __init__(
        self, interpreter: Interpreter, f: Any, subject: Any, args: list[Any], kwargs: dict[str, Any]
    ) -> None:
        self.interpreter, self.f, self.arguments = interpreter, f, [args, kwargs]
        self.roots = [subject, args, kwargs]
        self.results: list[Any] = []
        self.common: Any = None
        self.ends: list[Snapshot] = []
        self.has_effects = False
        self.apart = _unchanged_by(subject)
        self.before = self._state()
        symbols: dict[str, None] = {}
        for value in (args, kwargs, *(held for _, held in self.before)):
            _see_sizes(value, symbols)
        self.symbols = list(symbols)
        self.open = [
            (value, held) for value, held in self.before if isinstance(held, (dict, list)) and _is_open(held)
        ]

    def try_with(self, arguments: Any, table: dict[str, Any]) -> bool:
        """Whether the call accepts these arguments, with these numbers for the unknown sizes."""
        try:
            args, kwargs = resized(arguments, table) if table else arguments
            for value, held in self.open:
                heap.changing(value)
                put(value, _settled(held, table))
            start = self._state()
            self.interpreter.budget.sample()
            result = self.f(*args, **kwargs)
            end = self._state()
        except (RaisedException, ConcretizationError):
            return False
        except Exception:  # what real code raises says that it does not take these
            return False
        else:
            self.has_effects = self.has_effects or bool(end.contents.keys() - start.contents.keys())
            self._unsettle(start, end)
            self.common = join(self.common, result) if self.results else result
            self.results.append(result)
            self.ends.append(end)
            return True
        finally:
            self.before.restore()

    def accept(
        self,
        samples: Callable[[Samples], Iterable[Any]],
        attempt: Callable[[Any], bool],
        fewest: int = 1,
    ) -> bool:
        """Try samples with `attempt`; whether enough of them are accepted to tell what the call gives."""

        def run(sample: Any) -> Any:
            if not attempt(sample):
                raise Refused
            return self.common

        def evidence(so_far: Samples) -> Evidence:
            return Evidence(len(so_far.accepted), fewest)

        return isinstance(abstract_call(run, samples, evidence, JOINED, Budget()), Known)

    def _state(self) -> Snapshot:
        return Snapshot(self.roots, no_scopes, self.apart)

    def commit(self) -> Any:
        """The program goes on after the call, with what all accepted trials have in common; that is their result."""
        with of_all_ways(False):  # other samples might give other dtypes
            replaced = merge_contents([end.contents for end in self.ends])
        self.interpreter.replace(replaced)
        return self.common

    def _unsettle(self, start: Snapshot, end: Snapshot) -> None:
        """What a trial has not changed is as unknown after it as it was."""
        for key, (value, held) in end.contents.items():
            first, before = start.contents.get(key), self.before.contents.get(key)
            if first is None or before is None or held is first[1]:
                continue
            old, new = first[1], before[1]
            if isinstance(held, dict):
                kept = {
                    name: new[name] if name in new and old.get(name) is item else item
                    for name, item in held.items()
                }
                end.contents[key] = (value, kept)
            elif isinstance(held, list) and len(held) == len(old) == len(new):
                end.contents[key] = (
                    value,
                    [c if a is b else a for a, b, c in zip(held, old, new, strict=True)],
                )


def _unchanged_by(layer: Any) -> list[Any]:
    """What a layer refers to and cannot change."""
    return [each for scopes in registry.parts("scopes") for each in scopes.apart(layer)]


def _items(held: Any) -> list[Any]:
    if isinstance(held, dict):
        return list(held.values())
    return list(held) if isinstance(held, (list, tuple)) else []


def _see_sizes(value: Any, symbols: dict[str, None]) -> None:
    """Note the unknown sizes of what a container holds itself."""
    for item in _items(value):
        if is_scalar(item, int):
            symbols[str(arrays.size_of(item))] = None
        elif is_dim(item):
            symbols.update(dict.fromkeys(symbols_of(item)))
        elif arrays.is_array(item):
            symbols.update((name, None) for dim in item.shape if is_dim(dim) for name in symbols_of(dim))
        elif type(item) is tuple:
            _see_sizes(item, symbols)


def _is_open(held: Any) -> bool:
    return any(
        is_scalar(item)
        or is_dim(item)
        or (arrays.is_array(item) and any(is_dim(dim) for dim in item.shape))
        or (type(item) is tuple and _is_open(item))
        for item in _items(held)
    )


def _settled(held: Any, table: dict[str, Any]) -> Any:
    """What a container holds, with these numbers for sizes."""
    if type(held) is tuple:
        return tuple(_settled(item, table) for item in held)
    if isinstance(held, dict):
        return {key: _settled(item, table) for key, item in held.items()} if _is_open(held) else held
    if isinstance(held, list):
        return [_settled(item, table) for item in held] if _is_open(held) else held
    return sized(held, table)


def sized(value: Any, table: dict[str, Any]) -> Any:
    """One value with these numbers for sizes; a size that has none stays as it is."""
    if is_scalar(value):
        if value.kind is int:
            size = arrays.size_of(value)
            return table.get(str(size), size)
        return OPTION_OF_TYPE.get(value.kind, value)
    return leaf_at(value, table) if table else value


def with_sizes_of_numbers(value: Any) -> Any:
    """`value` with symbols for unknown ints, and arrays for the other parts that are not known."""
    return changed(
        value,
        lambda leaf: arrays.size_of(leaf) if is_scalar(leaf, int) else as_array(leaf),
    )
