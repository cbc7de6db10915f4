"""Results of calls with unknown parts, kept for the next call of the kind: sizes may have other names in it."""

from __future__ import annotations

import functools
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax

from .....domain.expressions import calculate
from ...names import Layer
from ...sizes import written
from ..values import arrays
from ..values.unknowns import UNKNOWN, Mixed, Number, NumpyArray, is_dim
from .methods import MethodCall, holder_of
from .sizes import symbols_of

if TYPE_CHECKING:
    from ..machine import Machine

#: Modules whose functions are functions of arrays: an argument of which nothing is known is one, or an option.
OF_ARRAYS = ("jax", "operator")
#: Options of JAX that a program may set, and that change what it computes.
OPTIONS = (
    "jax_default_matmul_precision",
    "jax_enable_x64",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_threefry_partitionable",
)
#: Calls of libraries that are kept at most.
MOST_CALLS = 50_000

#: What calls of libraries have given in this process, by JAX's options: they give it in every program, and after each edit.
_of_libraries: dict[tuple[str, ...], dict[Any, Any]] = {}


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


def pattern(value: Any, symbols: Sequence[str]) -> str | None:
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


def remembered(machine: Machine, key: Any, symbols: Sequence[str] = ()) -> tuple[Any] | None:
    """The result of an earlier call with this key, in a tuple; `symbols` are the names that its sizes have now."""
    try:
        known = _table(machine, key).get(key) if key[2] is not None else None
    except TypeError:
        return None
    if known is None:
        return None
    dtype, weak, dims = known[0] or (None, None, None)
    if known[0] is None:
        return (UNKNOWN,)
    named = (
        None if dims is None else tuple(dim.named(symbols) if isinstance(dim, Of) else dim for dim in dims)
    )
    return (arrays.array(dtype, weak, named),)


def remember(machine: Machine, key: Any, result: Any, symbols: Sequence[str] = ()) -> None:
    """Keep the result of a call whose key has numbers for the names of `symbols`."""
    described = arrays.description(result)
    if key[2] is None or (described is None and result is not UNKNOWN):
        return
    if described is not None and described[2] is not None:
        described = (described[0], described[1], tuple(_without_names(dim, symbols) for dim in described[2]))
    try:
        _table(machine, key)[key] = (described,)
    except TypeError:
        return


class Of(NamedTuple):
    """A size that follows from those of a call: the text for it, and the names in their order."""

    text: str
    symbols: tuple[str, ...]

    def named(self, symbols: Sequence[str]) -> Any:
        """The size for other names."""
        return calculate(
            self.text, {old: arrays.symbol(new) for old, new in zip(self.symbols, symbols, strict=True)}
        )


def _without_names(dim: Any, symbols: Sequence[str]) -> Any:
    if not arrays.is_unknown_size(dim):
        return dim
    return Of(written(dim), tuple(symbols)) if is_dim(dim) and {*symbols_of(dim)} <= {*symbols} else None


def options() -> tuple[str, ...]:
    """The options of JAX that are in force, and the promotion of the array layer."""
    return Layer.system, *(str(getattr(jax.config, name, None)) for name in OPTIONS)


def _table(machine: Machine, key: Any) -> dict[Any, Any]:
    """Where the results of such calls are: those of the program's own functions are of one walk alone."""
    f = key[1]
    of_library = module_root(f) in OF_ARRAYS and isinstance(holder_of(f), (type(None), types.ModuleType))
    is_made = isinstance(f, functools.partial) or id(f) in machine.made
    if not of_library or is_made:
        return machine.drawn
    table = _of_libraries.setdefault(options(), {})
    if len(table) > MOST_CALLS:
        del table[next(iter(table))]
    return table
