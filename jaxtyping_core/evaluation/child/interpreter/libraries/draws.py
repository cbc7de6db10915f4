"""Calls of libraries with arguments that are not wholly known: several choices are tried, and what agrees is kept."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..control import Raised
from ..facts import Facts
from ..values import arrays
from ..values.joins import join, join_all
from ..values.unknowns import (
    UNKNOWN,
    Mixed,
    NeedsValue,
    Number,
    NumpyArray,
    Partial,
    is_dim,
)
from .captured import Numbers, symbols_seen
from .choices import MOST, anything_in, as_array, changed, choices, unknown_in, with_numbers, with_steps
from .methods import MethodCall, holder_of
from .number_sizes import shares_symbols, with_number_symbols
from .sizes import around, but_for, fitting, resized, sizes_for, stuck, symbols_in, without_sizes

if TYPE_CHECKING:
    from ..machine import Machine

#: Choices for what may be anything that must be accepted: one alone is what a function happens to do with it.
FEWEST = 4
#: After so many of different dtypes, which have different sizes in memory, a result has the sizes that it has for all.
ENOUGH = 5
#: Steps that trying them may take: each choice walks the program's functions that a call leads to.
MOST_STEPS = 3000
#: The same where none is accepted: loops of JAX, most of all, take nothing that is made up for several arguments.
MOST_IN_VAIN = 1000
#: Modules whose functions are functions of arrays: an argument of which nothing is known is one, or an option.
OF_ARRAYS = ("jax", "operator")
#: Functions that only look at how values are put together: unknown ones, but of a known kind, are no matter.
OF_TREES = frozenset(
    {"dataclasses", "collections", "__program__", "typing", "functools", "itertools", "copy", "builtins"}
)


def partially(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call with unknown parts gives."""
    f, args = _unbound(f, args)
    root = module_root(f)
    if root in OF_TREES and not anything_in([args, kwargs]):
        return _real(machine, f, args, kwargs)
    of_arrays = root in OF_ARRAYS and not _of_trees(f)
    if not of_arrays and anything_in([args, kwargs, holder_of(f)]):
        machine.forget([*args, *kwargs.values()])
        return UNKNOWN
    given = [args, kwargs]
    key = ("partially", f, key_of(given))
    known = remembered(machine, key)
    if known is not None:
        machine.uncertain += 1
        return known[0]
    with machine.speculating():
        machine.guards += 1
        try:
            result = _drawn(machine, f, given)
        finally:
            machine.guards -= 1
    machine.uncertain += 1
    if result is UNKNOWN:
        machine.escape([f, holder_of(f), *args, *kwargs.values()])
    if not shares_symbols(result, given):
        remember(machine, key, result)
    return result


def _unbound(f: Any, args: list[Any]) -> tuple[Any, list[Any]]:
    """A call of an array's method with the array among the arguments, for its sizes may be unknown as well."""
    is_method = isinstance(f, types.MethodType) and arrays.is_array(f.__self__)
    return (f.__func__, [f.__self__, *args]) if is_method else (f, args)


def _of_trees(f: Any) -> bool:
    """Whether a function of JAX takes trees: an unknown one is no array."""
    return str(getattr(f, "__module__", "")).startswith(
        (
            "jax.example_libraries",
            "jax.experimental",
            "jax.flatten_util",
            "jax.tree",
            "jax._src.tree",
            "jax._src.flatten",
        )
    )


def _drawn(machine: Machine, f: Any, given: Any) -> Any:
    with_arrays = changed(given, as_array)
    if not arrays.holds_unknown(with_arrays):
        try:
            return _sized(machine, f, *with_arrays)
        except (Raised, NeedsValue):
            result = with_number_symbols(machine, f, given, _real)
            if result is not UNKNOWN:
                return result
            result = _agreed(machine, f, ((choice, None) for choice in with_numbers(given)))
        if result is not UNKNOWN:
            return result
        made = _agreed(machine, f, ((choice, None) for choice in with_steps(given)))
        return made if isinstance(made, types.FunctionType) else UNKNOWN
    holes = anything_in(given)
    if holes > 2:
        return UNKNOWN
    described = [arrays.description(leaf) for leaf in unknown_in(with_arrays)]
    of_dtypes = all(known is not None and known[2] is not None for known in described)
    return _agreed(machine, f, choices(with_arrays, holes), FEWEST if holes else 1, of_dtypes)


def _real(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call for what it gives, or an exception."""
    machine.step()
    try:
        return f(*args, **kwargs)
    except (Raised, NeedsValue):
        raise
    except Exception as error:  # what real code raises is what the program would meet
        raise Raised(error) from None


def module_root(f: Any) -> str:
    """The package of a function."""
    module = getattr(f, "__module__", None)
    if isinstance(f, MethodCall):
        return "jax"
    if module is None:
        holder = holder_of(f)
        module = type(f if holder is None else holder).__module__
    if (
        module in ("_operator",)
        or type(f).__name__ == "ufunc"
        or str(module).endswith((".operators", ".expressions", ".sequences"))
    ):
        return "operator"
    return str(module).partition(".")[0]


def _agreed(
    machine: Machine,
    f: Any,
    choices: Iterator[tuple[Any, int | None]],
    fewest: int = 1,
    of_dtypes: bool = False,
) -> Any:
    """What all choices that are accepted have in common; too few of them tell nothing.

    With `of_dtypes`, the choices differ in dtypes alone: when the dtype of what is given differs, little is left to learn.
    """
    results: list[Any] = []
    accepted, sizes = 0, set[int | None]()
    steps = machine.steps
    for count, ((args, kwargs), size) in enumerate(choices):
        if count >= MOST or machine.steps - steps > (MOST_STEPS if accepted else MOST_IN_VAIN):
            return UNKNOWN
        try:
            result = _sized(machine, f, args, kwargs)
        except (Raised, NeedsValue):
            continue
        accepted += 1
        sizes.add(size)
        results[:] = [join(results[0], result) if results else result]
        described = arrays.description(results[0])
        if results[0] is UNKNOWN:
            return UNKNOWN
        if described and described[0] is None and described[2] is None:
            return Partial(None, None, None)  # the choices that were not tried might differ in weakness
        if accepted >= ENOUGH and of_dtypes and described and described[0] is None:
            return Partial(None, None, described[2])
    if accepted < fewest:
        return UNKNOWN
    # What one size gives follows from it, perhaps.
    return results[0] if None in sizes or len(sizes) > 1 else without_sizes(results[0])


def with_sizes(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of known arrays some of whose sizes are symbols."""
    leaked = machine.leaked
    called, with_holder = _unbound(f, args)
    try:
        return _sized(machine, called, with_holder, kwargs)
    except Raised as raised:
        from ..language.calls import refused

        return refused(machine, f, [*args, *kwargs.values()], raised.value, machine.leaked == leaked)


def _sized(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call with symbols for sizes; where JAX cannot do with them, what some choices of sizes agree on.

    Raises:
        Raised, NeedsValue: none is accepted.
    """
    seen = Facts()
    try:
        with machine.seeing(seen):
            result = _real(machine, f, args, kwargs)
    except (Raised, NeedsValue):
        functions = [f, *args, *kwargs.values()]
        symbols = list(dict.fromkeys([*symbols_in([args, kwargs]), *symbols_seen(machine, functions)]))
        key = ("sized", f, _pattern([args, kwargs], symbols))
        known = remembered(machine, key) if symbols else None
        if known is not None:
            return known[0]
        trials = SizeTrials(machine, f, args, kwargs, symbols)
        if not symbols or not trials.accepted():
            machine.facts.take(seen)
            raise
        result = trials.common()
        remember(machine, key, result)
        return result
    machine.facts.take(seen)
    return result


class SizeTrials:
    """Trials of one call with numbers for its unknown sizes. What the rejected ones have walked is forgotten."""

    def __init__(
        self, machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any], symbols: list[str]
    ) -> None:
        self.machine, self.f, self.given, self.symbols = machine, f, [args, kwargs], symbols
        self.possible = fitting(self.given)
        self.results: list[Any] = []
        self.taken: list[tuple[int, ...]] = []
        self.seen = Facts()

    def accepted(self) -> bool:
        """Whether the call accepts some sizes."""
        accepted = list(filter(self._accepts, sizes_for(self.symbols, self.possible)))
        if len(accepted) == 1:  # the only sizes there are, or the first that were found
            for sizes in around(accepted[0]):
                self._accepts(sizes)
        return bool(accepted)

    def common(self) -> Any:
        """What the accepted ones have given, which is what is known of the places that they came by, too."""
        open_sizes = stuck(self.taken, self.possible)
        self.seen.without(open_sizes)
        self.machine.facts.take(self.seen)
        return but_for(join_all(self.results), open_sizes)

    def _accepts(self, sizes: tuple[int, ...]) -> bool:
        machine, seen = self.machine, Facts()
        numbers, machine.numbers = machine.numbers, Numbers(zip(self.symbols, sizes, strict=True))
        machine.trials += 1
        try:
            with machine.seeing(seen):
                result = _real(machine, self.f, *resized(self.given, machine.numbers))
        except (Raised, NeedsValue):
            return False
        finally:
            machine.trials -= 1
            machine.numbers = numbers
        self.seen.take(seen)
        self.results.append(result)
        self.taken.append(sizes)
        return True


def _pattern(value: Any, symbols: Sequence[str]) -> str | None:
    """The key of a value whose sizes may have any names."""
    key = key_of(value)
    return None if key is None else with_any_names(repr(key), symbols)


def with_any_names(text: str, symbols: Sequence[str]) -> str:
    """A text in which sizes have their numbers for names."""
    for i, symbol in sorted(enumerate(symbols), key=lambda pair: -len(pair[1])):
        text = text.replace(symbol, f"<{i}>")
    return text


def key_of(value: Any) -> Any:
    """What a call's result depends on, as far as it can be written; None if it cannot."""
    if isinstance(value, (list, tuple)):
        parts = [key_of(item) for item in value]
        return None if None in parts else (type(value).__name__, *parts)
    if type(value) is dict:
        parts = [(key, key_of(item)) for key, item in value.items()]
        return None if any(part is None for _, part in parts) else ("dict", *parts)
    described = arrays.description(value)
    if described is not None:
        return ("array", *map(str, described))
    if isinstance(value, (Number, NumpyArray, Mixed)) or value is UNKNOWN:
        return repr(value)
    if is_dim(value):
        return ("dim", str(value))
    if value is None or isinstance(value, (bool, int, float, str)) or type(value).__name__ == "dtype":
        return (type(value).__name__, repr(value))
    return None


def remembered(machine: Machine, key: Any) -> tuple[Any] | None:
    try:
        known = _table(machine, key).get(key) if key[2] is not None else None
    except TypeError:
        return None
    if known is None:
        return None
    return (arrays.array(*known[0]),) if known[0] is not None else (UNKNOWN,)


def remember(machine: Machine, key: Any, result: Any) -> None:
    described = arrays.description(result)
    if key[2] is None or (described is None and result is not UNKNOWN):
        return
    if described is not None and described[2] is not None:
        dims = tuple(None if arrays.is_unknown_size(dim) else dim for dim in described[2])
        described = (described[0], described[1], dims)
    try:
        _table(machine, key)[key] = (described,)
    except TypeError:
        return


def _table(machine: Machine, key: Any) -> dict[Any, Any]:
    """Where the results of such calls are: of a library's function they are the same for every walk of the program."""
    f = key[1]
    of_library = module_root(f) in OF_ARRAYS and isinstance(holder_of(f), (type(None), types.ModuleType))
    is_made = isinstance(f, functools.partial) or id(f) in machine.made
    return machine.tried if of_library and not is_made else machine.drawn
