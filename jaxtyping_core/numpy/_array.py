"""The array of the layer: a thin value around an array or tracer of JAX."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np

from jaxtyping_core.numpy import _context, _mapped
from jaxtyping_core.typing import Array as Annotation

#: Attributes that are those of the value inside.
_ATTRIBUTES = (
    "aval", "committed", "device", "dtype", "is_fully_addressable", "is_fully_replicated", "itemsize",
    "nbytes", "ndim", "shape", "sharding", "size", "weak_type", "addressable_shards", "global_shards", "format", "flat",
    "__numpy_dtype__",
)  # fmt: skip

#: Methods that are those of the value inside; what they return is wrapped.
_METHODS = (
    "addressable_data", "astype", "block_until_ready", "byteswap", "copy", "copy_to_host_async", "delete",
    "devices", "flatten", "is_deleted", "is_ready", "item", "tobytes", "to_device", "tolist",
    "view", "unsafe_buffer_pointer", "on_device_size_in_bytes", "_multi_slice", "_split",  # the last two of JAX's own use
)  # fmt: skip


_NOTHING: Any = object()
#: Classes that are arrays, and classes are none. JAX's is the last: to ask it takes longer than all others.
_ARRAYS = (np.ndarray, np.generic, type, jax.Array)
#: Whose values are no arrays, nor have one.
PLAIN = frozenset((int, float, bool, complex, str, type(None)))


def _refuse(array: Array, value: Any = None) -> None:
    """
    Raises:
        AttributeError: always.
    """
    raise AttributeError("arrays are immutable: their attributes cannot be set or deleted")


def read_only(get: Callable[[Any], Any], doc: str | None) -> property:
    """A property of an array, which is immutable."""
    return property(get, _refuse, _refuse, doc)


class _OfTrees(type(jax.Array)):  # type: ignore[misc]  # a class of JAX's extension
    """Makes arrays for JAX's pytrees, which call ``Array(value=...)``.

    It does so in place of an ``__init__``, without which `new` takes half the time.

    Raises:
        TypeError: `Array` is called without a value.
    """

    def __call__(cls, *, value: Any = _NOTHING) -> Array:
        if value is _NOTHING:
            raise TypeError("jaxtyping_core.numpy.Array() holds no array. Make one with asarray.")
        if type(value) is Array:  # a function that jax.tree.map has called gave one
            value = value.value
        array: Array = type.__call__(cls)
        array._Array__value = value
        if _context.in_force.value != "jax":
            _mapped.notice(value)
        return array


class Array(jax.Array, metaclass=_OfTrees):
    """An array of the layer. It wraps a JAX array or tracer, `value`, and has the same shape, dtype and device.

    Operators and methods promote by the system in force (`promotion`). The array is a pytree with one leaf, its
    value, so all transformations of JAX accept it. Functions of ``jax.numpy`` accept it too, and return JAX arrays.
    It is a subclass of ``jax.Array``, because libraries test ``isinstance(x, jax.Array)``. To make one, call `asarray`.

    Raises:
        TypeError: you call it without a value.
    """

    # Without a `__setattr__`, which would make it three times as long to put the value in, the slot is as private as can be.
    __slots__ = ("_Array__value", "__weakref__")
    _Array__value: Any
    #: The array or tracer of JAX inside.
    value = read_only(operator.attrgetter("_Array__value"), "The array or tracer of JAX inside.")
    __array_priority__ = 200  # above NumPy's arrays and JAX's, so that the operator of the layer decides
    __hash__ = None  # type: ignore[assignment]  # as JAX's arrays, which == compares element by element

    def __class_getitem__(cls, item: Any) -> Any:
        """The annotation ``Array[float32, tuple[B, D]]``, the same as `jaxtyping_core.typing.Array`."""
        return Annotation[item]

    def __jax_array__(self) -> Any:
        return self.value

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.value.__array__(*args, **kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """This namespace: ``jaxtyping_core.numpy``.

        Raises:
            ValueError: `api_version` is not a revision of the standard that JAX supports.
        """
        self.value.__array_namespace__(api_version=api_version)
        return sys.modules[__name__.rpartition(".")[0]]

    def __dlpack__(
        self,
        *,
        stream: int | Any | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        return self.value.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> Any:
        return self.value.__dlpack_device__()

    def __repr__(self) -> str:
        return (
            f"Array({self.value!r})"
            if not isinstance(self.value, jax.Array) or isinstance(self.value, jax.core.Tracer)
            else repr(self.value)
        )

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __complex__(self) -> complex:
        return complex(self.value)

    def __index__(self) -> int:
        return operator.index(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Array]:
        return (made(row) for row in self.value)

    def __reversed__(self) -> Iterator[Array]:
        return (made(row) for row in reversed(self.value))

    def __contains__(self, item: Any) -> bool:
        return bool((self == item).any())

    def __getitem__(self, index: Any) -> Array:  # pyright: ignore[reportIncompatibleVariableOverride]  # a protocol to stubs
        """A part of the array, as of a ``jax.Array``. The dtypes of indices do not matter."""
        return made(self.value[unwrap(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        """
        Raises:
            TypeError: always; arrays are immutable.
        """
        raise TypeError("arrays are immutable. Use x = x.at[index].set(value).")

    def __copy__(self) -> Array:
        return made(self.value.copy())

    def __deepcopy__(self, memo: Any) -> Array:
        return made(self.value.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return made, (self.value,)


#: How an array is made, in a quarter of the time that ``Array(value=...)`` takes. The functions that are called most do it on
#: the spot: `array = new()`, `array._Array__value = value`.
new: Callable[[], Array] = type.__call__.__get__(Array)


def made(value: Any) -> Array:
    """An array of the layer around `value`."""
    array = new()
    array._Array__value = value
    return array


def _attribute(name: str) -> property:
    def get(self: Array) -> Any:
        return getattr(self._Array__value, name)

    return read_only(get, f"``{name}`` of the JAX array inside.")


def _method(name: str) -> Any:
    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        return wrap(getattr(self._Array__value, name)(*unwrap(args), **unwrap(kwargs)))

    method.__name__, method.__qualname__ = name, f"Array.{name}"
    method.__doc__ = f"``jax.Array.{name}``."
    if hasattr(jax.Array, name):
        method.__wrapped__ = getattr(jax.Array, name)  # type: ignore[attr-defined]  # where the signature is read
    return method


for _name in _ATTRIBUTES:
    setattr(Array, _name, _attribute(_name))
for _name in _METHODS:
    setattr(Array, _name, _method(_name))

jax.tree_util.register_dataclass(Array, data_fields=["value"], meta_fields=[])


def unwrap(tree: Any) -> Any:
    """`tree` with the arrays of JAX for what has one (``__jax_array__``); looks into tuples, lists, dicts and slices."""
    kind = type(tree)
    if kind is Array:
        return tree._Array__value
    if kind in PLAIN:
        return tree
    if kind is tuple or kind is list:
        return tree if PLAIN.issuperset(map(type, tree)) else kind(map(unwrap, tree))
    if kind is dict:
        return {name: unwrap(value) for name, value in tree.items()}
    if kind is slice:
        return slice(unwrap(tree.start), unwrap(tree.stop), unwrap(tree.step))
    return unwrap(tree.__jax_array__()) if stands_for_array(tree) else tree


def stands_for_array(value: Any) -> bool:
    """Whether `value` is no array, but has one: a parameter of flax, for example."""
    # Few have one; to ask whether they are JAX's arrays takes long.
    return type(value) not in PLAIN and hasattr(value, "__jax_array__") and not isinstance(value, _ARRAYS)


def wrap(tree: Any) -> Any:
    """`tree` with JAX's arrays and tracers as layer arrays; looks into tuples, lists and dicts."""
    if isinstance(tree, tuple):
        items = map(wrap, tree)
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    if isinstance(tree, list):
        return list(map(wrap, tree))
    if isinstance(tree, dict):
        return {name: wrap(value) for name, value in tree.items()}
    return made(tree) if is_of_jax(tree) else tree


def is_of_jax(value: Any) -> bool:
    """Whether `value` is an array or tracer of JAX, and none of the layer."""
    return type(value) is not Array and isinstance(value, jax.Array)


__all__ = ["PLAIN", "Array", "is_of_jax", "made", "new", "read_only", "stands_for_array", "unwrap", "wrap"]
