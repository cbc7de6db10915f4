"""Calls of libraries with arguments that are not wholly known: several choices are tried, and what agrees is kept."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...draws import DTYPES, RANKS
from ..control import Raised
from ..values import arrays
from ..values.joins import join
from ..values.unknowns import (
    UNKNOWN,
    Many,
    Mixed,
    NeedsValue,
    Number,
    NumpyArray,
    Partial,
    Unknown,
    is_anything,
    is_dim,
)

if TYPE_CHECKING:
    from ..machine import Machine

#: Sizes that unknown ones are tried as.
SIZES = (6, 1)
#: Choices for what may be anything that must be accepted: one alone is what a function happens to do with it.
FEWEST = 4
#: Choices that are tried at most.
MOST = 160
#: Modules whose functions are functions of arrays: an argument of which nothing is known is one, or an option.
OF_ARRAYS = ("jax", "operator")
#: Functions that only look at how values are put together: unknown ones, but of a known kind, are no matter.
OF_TREES = frozenset(
    {"dataclasses", "collections", "__program__", "typing", "functools", "itertools", "copy", "builtins"}
)


def partially(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call with unknown parts gives."""
    root = module_root(f)
    if root in OF_TREES and not _anything_in([args, kwargs]):
        return _real(machine, f, args, kwargs)
    of_arrays = root in OF_ARRAYS and not _of_trees(f)
    if not of_arrays and _anything_in([args, kwargs, getattr(f, "__self__", None)]):
        machine.forget([*args, *kwargs.values()])
        return UNKNOWN
    given = [args, kwargs]
    key = ("partially", f, _key(given))
    known = _remembered(machine, key)
    if known is not None:
        return known[0]
    with machine.speculating():
        machine.guards += 1
        try:
            result = _drawn(machine, f, given)
        finally:
            machine.guards -= 1
    machine.uncertain += 1
    if result is UNKNOWN:
        machine.escape([f, getattr(f, "__self__", None), *args, *kwargs.values()])
    _remember(machine, key, result)
    return result


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
    with_arrays = changed(given, _plain)
    if not arrays.holds_unknown(with_arrays):
        try:
            return _sized(machine, f, *with_arrays)
        except (Raised, NeedsValue):
            return _agreed(machine, f, ((choice, None) for choice in _with_numbers(given)))
    holes = _anything_in(given)
    if holes > 2:
        return UNKNOWN
    return _agreed(machine, f, _choices(with_arrays, holes), FEWEST if holes else 1)


def _real(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call for what it gives, or an exception."""
    machine.step()
    try:
        return f(*args, **kwargs)
    except (Raised, NeedsValue):
        raise
    except Exception as error:
        raise Raised(error) from None


def module_root(f: Any) -> str:
    """The package of a function."""
    from .methods import MethodCall

    module = getattr(f, "__module__", None)
    if isinstance(f, MethodCall):
        return "jax"
    if module is None:
        module = type(getattr(f, "__self__", f)).__module__
    if (
        module in ("_operator",)
        or type(f).__name__ == "ufunc"
        or str(module).endswith((".operators", ".expressions", ".sequences"))
    ):
        return "operator"
    return str(module).partition(".")[0]


def _plain(leaf: Any) -> Any:
    if isinstance(leaf, Number):
        return arrays.of_number(leaf)
    if isinstance(leaf, Mixed):
        return leaf.array
    return arrays.of_numpy(leaf) if isinstance(leaf, NumpyArray) else leaf


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """`value` with something else for each unknown object in it."""
    import jax

    if isinstance(value, Unknown):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(changed(item, change) for item in value)
    if type(value) is dict:
        return {key: changed(item, change) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(changed(part, change) for part in (value.start, value.stop, value.step)))
    if value is None or isinstance(value, (int, float, str, type)) or arrays.is_array(value):
        return value
    try:
        return jax.tree.map(
            lambda leaf: change(leaf) if isinstance(leaf, Unknown) else leaf,
            value,
            is_leaf=lambda leaf: isinstance(leaf, Unknown),
        )
    except Exception:
        return value


def unknown_in(value: Any) -> list[Unknown]:
    """The unknown objects in a value, in order."""
    found: list[Unknown] = []

    def see(leaf: Any) -> Any:
        found.append(leaf)
        return leaf

    changed(value, see)
    return found


def _anything_in(value: Any) -> int:
    return sum(map(is_anything, unknown_in(value)))


def _choices(given: Any, holes: int) -> Iterator[tuple[Any, int | None]]:
    """Choices for partly known arrays, and for what may be anything, each with the size that unknown ranks have."""
    partials = [leaf for leaf in unknown_in(given) if isinstance(leaf, Partial)]
    dtypes = DTYPES if any(p.dtype_name is None for p in partials) else ((None, False),)
    weaks = (False, True) if any(p.weak is None and p.dtype_name is not None for p in partials) else (False,)
    ranks = RANKS if any(p.dims is None for p in partials) else (None,)
    rest = (
        list(itertools.product(_candidates(_fitting(given)), repeat=holes))
        if holes == 1
        else list(itertools.product(_fewer(), repeat=holes))
    )
    sizes = _fitting(given) if any(p.dims is None for p in partials) else (None,)
    possible = list(itertools.product(dtypes, weaks, ranks, sizes, rest))
    random.Random(len(possible)).shuffle(
        possible
    )  # neighbours differ in everything: what is not known shows early
    for drawn, weak, rank, size, chosen in possible:
        fills = iter(chosen)

        def change(
            leaf: Any,
            drawn: Any = drawn,
            weak: bool = weak,
            rank: Any = rank,
            size: Any = size,
            fills: Any = fills,
        ) -> Any:
            if isinstance(leaf, Partial):
                dims = (size,) * rank if leaf.dims is None else leaf.dims
                name, is_weak = drawn if leaf.dtype_name is None else (leaf.dtype_name, weak)
                return arrays.array(name, is_weak if leaf.weak is None else leaf.weak, dims)
            return next(fills)() if is_anything(leaf) else leaf

        yield changed(given, change), 0 if holes else size  # of a hole, any may have been the one


def _candidates(sizes: Sequence[int]) -> list[Callable[[], Any]]:
    """What an argument of which nothing is known is tried as."""
    of_arrays = [
        lambda dtype=dtype, weak=weak, rank=rank, size=size: arrays.array(dtype, weak, (size,) * rank)
        for (dtype, weak), rank, size in itertools.product(DTYPES[:6], RANKS[:4], sizes)
    ]
    return [*of_arrays, *_fewer()[2:]]


def _fewer() -> list[Callable[[], Any]]:
    import jax.numpy as jnp

    constants = (
        0,
        1,
        -1,
        2,
        0.5,
        True,
        None,
        (),
        jnp.dtype("float16"),
        jnp.dtype("int32"),
        jnp.dtype("bool"),
    )
    return [
        lambda: arrays.array("float32", False, (None,)),
        lambda: arrays.array("int32", False, (None, None)),
        *((lambda value=value: value) for value in constants),
        lambda: arrays.array("key<fry>", False, ()),
        lambda: arrays.array("uint32", False, (2,)),
        arrays.unknown_size,
        lambda: (arrays.unknown_size(),),
        lambda: (arrays.unknown_size(), arrays.unknown_size()),
    ]


def _with_numbers(given: Any) -> Iterator[Any]:
    """Choices of actual numbers for those that cannot be arrays: sizes, axes, options."""
    ints: dict[type, tuple[Any, ...]] = {
        int: (0, 1, 2, 3, 5, -1),
        bool: (False, True),
        float: (0.5, 2.0, -1.0),
        str: (),
    }
    numbers = [leaf for leaf in unknown_in(given) if isinstance(leaf, Number)]
    if any(leaf.kind is int for leaf in numbers):
        yield changed(
            given,
            lambda leaf: (
                arrays.unknown_size() if isinstance(leaf, Number) and leaf.kind is int else _plain(leaf)
            ),
        )
    for i in range(6):
        counter = itertools.count(i)

        def change(leaf: Any, counter: Any = counter) -> Any:
            if isinstance(leaf, Number) and ints.get(leaf.kind):
                values = ints[leaf.kind]
                return values[next(counter) % len(values)]
            return _plain(leaf)

        yield changed(given, change)
    for i in (1, 2, 3):
        yield changed(given, functools.partial(_with_int, i))


def _with_int(number: int, leaf: Any) -> Any:
    return number if isinstance(leaf, Number) and leaf.kind is int else _plain(leaf)


def _agreed(machine: Machine, f: Any, choices: Iterator[tuple[Any, int | None]], fewest: int = 1) -> Any:
    """What all choices that are accepted have in common; too few of them tell nothing."""
    results: list[Any] = []
    accepted, sizes = 0, set[int | None]()
    for count, ((args, kwargs), size) in enumerate(choices):
        if count >= MOST:
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
    if accepted < fewest:
        return UNKNOWN
    # What one size gives follows from it, perhaps.
    return results[0] if None in sizes or len(sizes) > 1 else _without_sizes(results[0])


def with_sizes(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of known arrays some of whose sizes are symbols."""
    leaked = machine.leaked
    try:
        return _sized(machine, f, args, kwargs)
    except Raised as raised:
        from ..language.calls import refused

        return refused(machine, f, [*args, *kwargs.values()], raised.value, machine.leaked == leaked)


def _sized(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call with symbols for sizes; where JAX cannot do with them, what some choices of sizes agree on.

    Raises:
        Raised: none is accepted.
    """
    try:
        return _real(machine, f, args, kwargs)
    except Raised as raised:
        symbols = symbols_in([args, kwargs])
        if not symbols:
            raise
        results: list[Any] = []
        for sizes in _sizes(symbols, [args, kwargs]):
            table = dict(zip(symbols, sizes, strict=True))
            try:
                new_args, new_kwargs = _resized([args, kwargs], table)
                results.append(_real(machine, f, new_args, new_kwargs))
            except Raised:
                continue
        if not results:
            raise raised from None
        result = results[0]
        for other in results[1:]:
            result = join(result, other)
        return result if len(results) > 1 else _without_sizes(result)


def symbols_in(value: Any) -> list[str]:
    """The symbolic sizes of the arrays in a value, as JAX writes them."""
    import jax

    found: dict[str, None] = {}
    for leaf in jax.tree.leaves(value, is_leaf=lambda leaf: isinstance(leaf, Unknown)):
        for dim in leaf.shape if arrays.is_array(leaf) else (leaf,) if is_dim(leaf) else ():
            if is_dim(dim):
                found[str(dim)] = None
    return list(found)


def _sizes(symbols: list[str], value: Any) -> Iterator[tuple[int, ...]]:
    import jax

    others = {
        dim
        for leaf in jax.tree.leaves(value, is_leaf=lambda leaf: isinstance(leaf, Unknown))
        if arrays.is_array(leaf)
        for dim in leaf.shape
        if type(dim) is int
    }
    possible = [*dict.fromkeys([*SIZES, *sorted(others)[:3]])]
    yield from itertools.islice(itertools.product(possible, repeat=len(symbols)), 32)
    yield from ((7,) * len(symbols), (2,) * len(symbols))


def _fitting(value: Any) -> list[int]:
    """Sizes for unknown dims: ones that go with those that are known."""
    others = {
        dim for leaf in _leaves(value) if arrays.is_array(leaf) for dim in leaf.shape if type(dim) is int
    }
    return [*dict.fromkeys([*SIZES, *sorted(others)[:3]])]


def _leaves(value: Any) -> list[Any]:
    import jax

    return list(jax.tree.leaves(value, is_leaf=lambda leaf: isinstance(leaf, Unknown)))


def _resized(value: Any, sizes: dict[str, int]) -> Any:
    """A value with actual sizes for symbolic ones."""
    import jax

    def change(leaf: Any) -> Any:
        if is_dim(leaf):
            return sizes[str(leaf)]
        if not arrays.is_array(leaf) or all(type(dim) is int for dim in leaf.shape):
            return leaf
        dtype, weak, dims = arrays.description(leaf) or (None, None, None)
        return arrays.array(dtype, weak, tuple(sizes[str(dim)] if is_dim(dim) else dim for dim in dims or ()))

    return jax.tree.map(change, value, is_leaf=lambda leaf: isinstance(leaf, Unknown))


def _without_sizes(value: Any) -> Any:
    import jax

    def change(leaf: Any) -> Any:
        described = arrays.description(leaf)
        if described is None:
            return UNKNOWN
        dtype, weak, dims = described
        return arrays.array(dtype, weak, None if dims is None else (None,) * len(dims))

    return jax.tree.map(change, value, is_leaf=lambda leaf: isinstance(leaf, Unknown))


def _key(value: Any) -> Any:
    """What a call's result depends on, as far as it can be written; None if it cannot."""
    if isinstance(value, (list, tuple)):
        parts = [_key(item) for item in value]
        return None if None in parts else (type(value).__name__, *parts)
    if type(value) is dict:
        parts = [(key, _key(item)) for key, item in value.items()]
        return None if any(part is None for _, part in parts) else ("dict", *parts)
    described = arrays.description(value)
    if described is not None:
        return ("array", *map(str, described))
    if isinstance(value, (Number, NumpyArray, Mixed)) or value is UNKNOWN:
        return repr(value)
    if value is None or isinstance(value, (bool, int, float, str)) or type(value).__name__ == "dtype":
        return (type(value).__name__, repr(value))
    return None


def _remembered(machine: Machine, key: Any) -> tuple[Any] | None:
    try:
        known = machine.drawn.get(key) if key[2] is not None else None
    except TypeError:
        return None
    if known is None:
        return None
    return (arrays.array(*known[0]),) if known[0] is not None else (UNKNOWN,)


def _remember(machine: Machine, key: Any, result: Any) -> None:
    described = arrays.description(result)
    if key[2] is None or (described is None and result is not UNKNOWN):
        return
    if described is not None and described[2] is not None:
        dims = tuple(None if arrays.is_unknown_size(dim) else dim for dim in described[2])
        described = (described[0], described[1], dims)
    try:
        machine.drawn[key] = (described,)
    except TypeError:
        return


__all__ = ["Many", "partially", "with_sizes"]
