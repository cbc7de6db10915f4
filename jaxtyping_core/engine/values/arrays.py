"""Makes abstract arrays: tracers where dtype and rank are known, `Partial` where they are not."""

from __future__ import annotations

import collections
import contextlib
import functools
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jax
import jax.numpy as jnp
from jax import export
from jax.extend.core import Var

from ...domain.arrays import AbstractArray
from ...domain.expressions import calculate
from ...domain.formatting import spell_array
from ...domain.values import PYTHON_NUMBERS
from ...identity import identity
from ...sampling import results
from ...sampling.objects import KEYS, weakly
from ...sampling.symbols import UNKNOWN, UNKNOWN_DIM
from ..libraries import registry
from . import traces
from .unknowns import AbstractScalar, NumpyArray, Partial, Unknown, is_dim, is_unknown

#: The modules whose classes have no attributes that hold values of the program.
OF_NO_FIELDS = frozenset({"builtins", "numpy", "typing", "functools", "jaxlib", "jaxlib._jax"})
#: What holds such values in another way, or may see them.
HOLDERS = (
    *(dict, list, tuple, set, frozenset, collections.deque, functools.partial),
    *(types.FunctionType, types.MethodType, types.BuiltinMethodType, Unknown),
)
_counter = [0]
_before_loops: list[int] = []
_scope: list[Any] = []


def symbol(name: str) -> Any:
    """A symbolic size; all of one process are of one scope, so that they can be compared."""
    if not _scope:
        _scope.append(export.SymbolicScope())
    return export.symbolic_shape(name, scope=_scope[0])[0]


class _Symbols(dict[str, Any]):
    """Symbols for names of sizes."""

    def __missing__(self, name: str) -> Any:
        return symbol(name)


def size_by_names(text: str, sizes: Mapping[str, int] | None = None) -> Any:
    """A formula over names of sizes, with numbers for them or with symbols.

    Raises:
        ValueError: it is none.
    """
    return calculate(text, _Symbols() if sizes is None else sizes)


def unknown_size() -> Any:
    """A size of which nothing is known."""
    _counter[0] += 1
    return symbol(f"{UNKNOWN_DIM}{_counter[0]}")


def unknown_sizes() -> int:
    """How many sizes have been made of which nothing is known."""
    return _counter[0]


@contextlib.contextmanager
def in_loop() -> Iterator[None]:
    """What is made within may be another in each round."""
    _before_loops.append(_counter[0])
    try:
        yield
    finally:
        _before_loops.pop()


def unknown_sizes_before_loops() -> int:
    """How many had been made when the outermost loop began that is being walked."""
    return _before_loops[0] if _before_loops else _counter[0]


def count_unknown_sizes_from(number: int) -> None:
    """Go on as if so many had been made: the others are in no value any more."""
    _counter[0] = number


def size_of(number: AbstractScalar) -> Any:
    """An unknown int as a size: the same one wherever it is used."""
    if number.size is None:
        number.size = unknown_size() if number.derived is None else number.derived()
    return number.size


def sizes_of(array: NumpyArray) -> tuple[Any, ...]:
    """The sizes of an array of NumPy of known rank: the same symbols wherever they are read."""
    if array.sizes is None:
        array.sizes = tuple(unknown_size() if dim is None else dim for dim in array.dims or ())
    return array.sizes


def is_unknown_size(dim: Any) -> bool:
    """Whether something that is not known takes part in a size."""
    return dim is None or (is_dim(dim) and UNKNOWN_DIM in str(dim))


def array(dtype: str | None, weak: bool | None, dims: tuple[Any, ...] | None) -> Any:
    """An array of JAX of which this is known; None for a size that is not."""
    return of_known(AbstractArray.of(dtype, weak, dims))


def of_known(known: AbstractArray) -> Any:
    """An array of JAX of which this is known."""
    if known.dtype is None or known.weak is None or known.shape is None:
        return Partial(known)
    return tracer(
        known.dtype, known.weak, tuple(unknown_size() if dim is None else dim for dim in known.shape)
    )


#: The abstract arrays that were made last, under the trace that they belong to.
_made: list[Any] = [None, {}]


def tracer(dtype: str, weak: bool, dims: tuple[Any, ...]) -> Any:
    """An abstract array. Making one takes JAX a while, so that equal ones of one trace are the same."""

    trace = traces.current()
    if trace is None:
        return _tracer(dtype, weak, dims)
    if _made[0] is not trace:
        _made[:] = [trace, {}]
    key = (dtype, weak, tuple(map(str, dims)))
    if key not in _made[1]:
        _made[1][key] = _tracer(dtype, weak, dims)
    return _made[1][key]


def is_shared(value: Any) -> bool:
    """Whether an abstract array may stand for several arrays of the program."""
    return any(value is made for made in _made[1].values())


#: The variables of JAX whose arrays may stand for several arrays of the program.
_made_up: set[Any] = set()


def may_be_keys(known: AbstractArray) -> bool:
    """Whether an array may be of random keys, in the older form perhaps."""
    is_raw = known.dtype == "uint32" and known.shape is not None and known.shape[-1:] == (2,)
    return is_raw or (known.dtype or "").startswith("key<")


def variable_of(value: Any) -> Any:
    """The variable that an array is in JAX's equations; None if there is none."""
    while isinstance(value, jax.core.Tracer):
        inner = getattr(value, "val", None)
        if isinstance(inner, jax.core.Tracer):
            value = inner
        elif inner is not None:
            return inner if isinstance(inner, Var) else None
        else:
            value = getattr(value, "primal", None)
    return None


def is_made_up(variable: Any) -> bool:
    """Whether the array in a variable may stand for several arrays of the program."""
    return variable in _made_up


def forget_made_up() -> None:
    """A program begins."""
    _made_up.clear()


def _tracer(dtype: str, weak: bool, dims: tuple[Any, ...]) -> Any:
    if dtype.startswith("key<"):
        made = jnp.broadcast_to(jax.random.key(0, impl=KEYS[dtype]), dims)
    else:
        made = jax.lax.full(dims or (1,), jnp.zeros((), jnp.dtype(dtype)))
        made = made if dims else jax.lax.squeeze(made, (0,))  # JAX makes a constant of the number itself
    _made_up.add(variable_of(made))
    return weakly(made) if weak else made


def of_number(number: AbstractScalar) -> Any:
    """The array that a Python scalar of unknown value is to JAX, which takes it for a weakly typed one."""
    if number.kind not in PYTHON_NUMBERS:
        return number
    return tracer(jax.dtypes.canonicalize_dtype(number.kind).name, number.kind is not bool, ())


def of_numpy(value: NumpyArray) -> Any:
    """The array of JAX that an array of NumPy becomes."""
    if value.np_dtype is None:
        return array(None, False, value.dims)
    try:
        return array(jax.dtypes.canonicalize_dtype(value.np_dtype).name, False, value.dims)
    except TypeError:  # of objects, texts or records
        return value


def is_array(value: Any) -> bool:
    """Whether a value is an array of JAX of known dtype and rank."""
    return results.is_array(value)


def is_jax(value: Any) -> bool:
    """Whether a value is an array of JAX, however much is known of it."""
    return type(value) is Partial or is_array(value)


def known_of(value: Any) -> AbstractArray | None:
    """What is known of an array of JAX, with JAX's own symbolic sizes; None for all else."""
    if is_array(value):
        aval = jax.typeof(value)
        return AbstractArray.of(str(aval.dtype), bool(getattr(aval, "weak_type", False)), tuple(aval.shape))
    return value.known if isinstance(value, Partial) else None


def is_never_weak(dtype: str | None) -> bool:
    """Whether no array of this dtype is weak: JAX has such of ints, floats and complex numbers."""
    return dtype is not None and dtype.startswith(("bool", "key<"))


def holds_unknown(value: Any, depth: int = 0, seen: set[int] | None = None) -> bool:
    """Whether a value is unknown, or has one in it."""
    if is_unknown(value):
        return True
    if depth > 40:
        return True
    parts = _parts_of(value)
    if not parts:
        return False
    if depth > SHALLOW:  # what is met once more is no other than it was
        seen = set() if seen is None else seen
        if identity(value) in seen:
            return False
        seen.add(identity(value))
    elif depth == SHALLOW:
        seen = set()
    return any(holds_unknown(part, depth + 1, seen) for part in parts)


#: Values that are so deep in others may be in many of them.
SHALLOW = 3


def _parts_of(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return [item for pair in value.items() for item in pair]
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, slice):
        return (value.start, value.stop, value.step)
    return (object_fields(value) or {}).values()


def object_fields(value: Any) -> dict[str, Any] | None:
    """The attributes of an object that may hold values of the program; None for arrays, functions, classes and so on."""
    if isinstance(value, types.FunctionType) or _has_no_fields(value):
        return None
    try:
        fields = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return registry.fields(value)
    return fields if isinstance(fields, dict) and not callable(fields.get("lower")) else None


def _has_no_fields(value: Any) -> bool:
    return isinstance(value, (type, types.ModuleType, jax.Array)) or type(value).__module__ in OF_NO_FIELDS


def holds_nothing(value: Any) -> bool:
    """Whether objects of the class of `value` hold no values of the program, neither by attributes nor in any other way."""
    return not isinstance(value, HOLDERS) and _has_no_fields(value)


def spelled(values: dict[str, Any]) -> str:
    """The arrays among the arguments of a call, for a person to read."""
    shown = [(name, spelled_array(value)) for name, value in values.items()]
    return ", ".join(f"{name}: {text}" for name, text in shown if text is not None)


def spelled_array(value: Any) -> str | None:
    """An array as a person reads it; None for anything else."""
    known = known_of(value)
    return None if known is None else spelled_known(known)


def spelled_known(known: AbstractArray) -> str:
    """What is known of an array, as a person reads it."""
    dims = known.shape and [None if d is None or UNKNOWN in str(d) else d for d in known.shape]
    return spell_array(known.dtype, dims)
