"""Results of calls with unknown parts, kept for the next call of the kind: sizes may have other names in it."""

from __future__ import annotations

import contextlib
import enum
import functools
import sys
import types
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import jax
import numpy as np

from ....domain.arrays import AbstractArray
from ....domain.expressions import calculate
from ....identity import identity
from ....sampling.blame import OURS
from ....sampling.memo import Memo, numbered, renamed
from ....sampling.names import Layer
from ....sampling.sizes import written
from ...values import arrays
from ...values.unknowns import UNKNOWN, AbstractScalar, ArrayLike, NumpyArray, Unknown, is_dim
from .methods import MethodCall, holder_of
from .sizes import leaves, symbols_in, symbols_of

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: Modules whose functions are functions of arrays: an argument of which nothing is known is one, or an option.
OF_ARRAYS = ("jax", "operator")
#: The option of JAX that switches 64-bit types on.
X64 = "jax_enable_x64"
#: Options of JAX that a program may set, and that change what it computes.
OPTIONS = (
    "jax_default_matmul_precision",
    X64,
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_threefry_partitionable",
)
#: Packages whose functions, classes and constants stay what they are.
LASTING = frozenset({"jax", "jaxlib", "numpy", "ml_dtypes", "builtins", "operator", "_operator", OURS})
#: Numbers of an array that are part of a key.
MOST_NUMBERS = 64
#: A key: what it is of, the function, and the arguments; None if these cannot be described.
Key = tuple[str, Any, Hashable]

#: What calls of libraries have given in this process, by JAX's options: they give it in every program, and after each edit.
_of_libraries: dict[tuple[str, ...], Memo] = {}


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


def key_of(value: Any, symbols: Sequence[str] = ()) -> Hashable | None:
    """All of a value that the result of a call may follow from; None if that cannot be described.

    Sizes have the numbers of `symbols` for their names.
    """
    try:
        return _key(value, numbered(symbols))
    except _Indescribable:
        return None


class _Indescribable(Exception):
    """A value may be changed, or is of a kind of which not all is known."""


def _key(value: Any, names: Mapping[str, str]) -> Hashable:
    kind = type(value)
    if value is None or value is ... or kind in (bool, int, str, bytes):
        return kind, value
    if kind in (float, complex):
        return kind, repr(value)  # 0.0 is equal to -0.0, and nothing to nan
    if isinstance(value, (list, tuple)):
        return kind, *(_key(item, names) for item in value)
    if kind is dict:
        return kind, *((_key(key, names), _key(item, names)) for key, item in value.items())
    if kind is slice:
        return kind, *(_key(part, names) for part in (value.start, value.stop, value.step))
    known = arrays.known_of(value)
    if known is not None:
        return "array", known.dtypes, known.weak, _dims(known.shape, names)
    if isinstance(value, AbstractScalar):
        return "number", value.kind
    if isinstance(value, NumpyArray):
        return "numpy", str(value.np_dtype), _dims(value.dims, names), _dims(value.sizes, names)
    if isinstance(value, ArrayLike):
        return "mixed", _key(value.array, names)
    if value is UNKNOWN:
        return ("unknown",)
    if is_dim(value):
        return "dim", renamed(written(value), names)
    if isinstance(value, np.dtype) and not value.hasobject:
        return "dtype", str(value), value.str
    if (
        isinstance(value, (np.ndarray, np.generic))
        and value.size <= MOST_NUMBERS
        and not value.dtype.hasobject
    ):
        return kind, value.dtype.str, value.shape, value.tobytes()
    if is_lasting(value):
        return "object", value
    raise _Indescribable


def _dims(dims: Sequence[Any] | None, names: Mapping[str, str]) -> Hashable:
    return (
        None if dims is None else tuple(renamed(written(dim), names) if is_dim(dim) else dim for dim in dims)
    )


F = TypeVar("F", bound=Callable[..., Any])
#: Functions that we have made for good.
_lasting: set[Any] = set()


def lasting(f: F) -> F:
    """`f`, which is made once, as a part of keys."""
    _lasting.add(f)
    return f


def is_lasting(value: Any) -> bool:
    """Whether a value is a function, a class or a constant of a library, as its module has it: it stays what it is."""
    if isinstance(value, types.FunctionType) and value in _lasting:
        return True
    is_constant = isinstance(value, enum.Enum)
    if isinstance(value, Unknown) or not (is_constant or callable(value)):
        return False
    holder = type(value) if is_constant else value
    module, name = getattr(holder, "__module__", None), getattr(holder, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return False
    return module.partition(".")[0] in LASTING and getattr(sys.modules.get(module), name, None) is holder


#: What calls of NumPy have given in this process, which has no options that change what it computes.
_of_numpy = Memo()


def of_numpy(f: Any, args: list[Any], kwargs: dict[str, Any], evaluate: Callable[[], Any]) -> Any:
    """What a call of NumPy gives; `evaluate` tells, if it is not known from an earlier one."""
    key = (f, key_of([args, kwargs], _symbols_of_numpy([args, kwargs])))
    if key[1] is None or not is_lasting(f):
        return evaluate()
    known = _of_numpy.get(key)
    if known is not None:
        return _restored(known, ())
    result = evaluate()
    with contextlib.suppress(_Indescribable):
        _of_numpy[key] = _kept(result, ())
    return result


def _symbols_of_numpy(value: Any) -> list[str]:
    """The symbols of sizes in a value; an array of NumPy keeps those that were read."""
    arrays_of_numpy = [leaf for leaf in leaves(value) if isinstance(leaf, NumpyArray)]
    return symbols_in([value, *(array.sizes for array in arrays_of_numpy if array.sizes is not None)])


def remembered(interpreter: Interpreter, key: Key, symbols: Sequence[str] = ()) -> tuple[Any] | None:
    """The result of an earlier call with this key, in a tuple; `symbols` are the names that its sizes have now."""
    if any(part is None for part in key[1:]):
        return None
    try:
        known = _table(interpreter, key).get(key)
    except TypeError:  # a function that has no hash
        return None
    return None if known is None else (_restored(known, symbols),)


def remember(interpreter: Interpreter, key: Key, result: Any, symbols: Sequence[str] = ()) -> None:
    """Keep the result of a call whose key has numbers for the names of `symbols`."""
    if any(part is None for part in key[1:]) or interpreter.unseen.is_cut:
        return
    try:
        _table(interpreter, key)[key] = _kept(result, symbols)
    except (TypeError, _Indescribable):
        return


class _NumpyArray(NamedTuple):
    """What is kept of an array of NumPy."""

    dtype: Any
    dims: tuple[Any, ...] | None


class _Items(NamedTuple):
    """What is kept of a tuple or a list."""

    kind: Any
    items: tuple[Any, ...]


class _Dim(NamedTuple):
    """A size that follows from those of a call: the text for it, and the names in their order."""

    text: str
    symbols: tuple[str, ...]

    def named(self, symbols: Sequence[str]) -> Any:
        """The size for other names."""
        return calculate(
            self.text, {old: arrays.symbol(new) for old, new in zip(self.symbols, symbols, strict=True)}
        )


def _kept(result: Any, symbols: Sequence[str]) -> Any:
    """A result that no one changes.

    Raises:
        _Indescribable: it is none such.
    """
    known = arrays.known_of(result)
    if known is not None:
        dims = known.shape
        kept = None if dims is None else tuple(_without_names(dim, symbols) for dim in dims)
        return replace(known, shape=kept)
    if result is UNKNOWN:
        return result
    if isinstance(result, NumpyArray) and result.sizes is None:
        return _NumpyArray(result.np_dtype, result.dims)
    if isinstance(result, AbstractScalar) and result.size is None and result.derived is None:
        return AbstractScalar(result.kind)
    if isinstance(result, (tuple, list)):
        return _Items(type(result), tuple(_kept(item, symbols) for item in result))
    raise _Indescribable


def _restored(kept: Any, symbols: Sequence[str]) -> Any:
    """The result of a call whose sizes have these names."""
    match kept:
        case AbstractArray(shape=dims):
            named = (dim.named(symbols) if isinstance(dim, _Dim) else dim for dim in dims or ())
            return arrays.of_known(replace(kept, shape=None if dims is None else tuple(named)))
        case _NumpyArray(dtype, dims):
            return NumpyArray(dtype, dims)
        case AbstractScalar(kind=kind):
            return AbstractScalar(kind)
        case _Items(kind, items):
            made = [_restored(item, symbols) for item in items]
            return kind(*made) if hasattr(kind, "_fields") else kind(made)
    return kept


def _without_names(dim: Any, symbols: Sequence[str]) -> Any:
    if not arrays.is_unknown_size(dim) and not is_dim(dim):
        return dim
    return _Dim(written(dim), tuple(symbols)) if is_dim(dim) and {*symbols_of(dim)} <= {*symbols} else None


def options() -> tuple[str, ...]:
    """The options of JAX that are in force, and the promotion of the array layer."""
    return Layer.system, *(str(getattr(jax.config, name, None)) for name in OPTIONS)


@contextlib.contextmanager
def keeping_options() -> Iterator[None]:
    """What is set of these options within holds no longer."""
    before = {name: getattr(jax.config, name) for name in OPTIONS}
    try:
        yield
    finally:
        for name, value in before.items():
            if getattr(jax.config, name) != value:
                jax.config.update(name, value)


def _table(interpreter: Interpreter, key: Key) -> dict[Hashable, Any]:
    """Where the results of such calls are: those of the program's own functions are of one walk alone."""
    f = key[1]
    of_library = module_root(f) in OF_ARRAYS and isinstance(holder_of(f), (type(None), types.ModuleType))
    is_made = isinstance(f, functools.partial) or identity(f) in interpreter.made
    return interpreter.drawn if not of_library or is_made else _of_libraries.setdefault(options(), Memo())
