"""What an overlay gives in place of results of functions that are not called: arrays by dtype and shape, numbers, and objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..dtypes import DTYPES
from ..engine.libraries.numpy.choices import is_ndarray
from ..engine.values import arrays
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    NumpyArray,
    Unknown,
    is_dim,
    is_scalar,
)

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives


class Object:
    """An object of a library of which these attributes are seen: values, and methods, which are functions."""

    def __init__(self, **attributes: Any) -> None:
        self.attributes = attributes


def array(dtype: str, shape: Any = UNKNOWN) -> Any:
    """An array of JAX.

    Args:
        dtype: its dtype, such as "float32".
        shape: its sizes, of which those that are no numbers, and no sizes of arrays, are unknown; without it the rank is.

    Raises:
        ValueError: there is no such dtype.
    """
    return arrays.array(_dtype(dtype), False, _dims(shape))


def numpy_array(dtype: str, shape: Any = UNKNOWN) -> Any:
    """An array of NumPy, as `array` makes one of JAX.

    Raises:
        ValueError: there is no such dtype.
    """
    import numpy as np  # most overlays describe arrays of JAX

    dims = _dims(shape)
    return NumpyArray(
        np.dtype(_dtype(dtype)), None if dims is None else tuple(d if type(d) is int else None for d in dims)
    )


def many(item: Any, some: bool = False) -> Any:
    """An iterable of any number of such items, or of at least one: what the attribute `__iter__` of an `Object` may be."""
    return AbstractSequence(item, some)


def shape_of(value: Any) -> tuple[Any, ...] | None:
    """The sizes of an array of JAX or NumPy, for `array` and `numpy_array`; None for those of unknown rank, and for all else."""
    value = value.array if isinstance(value, ArrayLike) else value
    if isinstance(value, NumpyArray):
        return value.dims
    known = arrays.known_of(value)
    if known is not None:
        return known.shape
    return value.shape if is_ndarray(value) else None


def dtype_of(value: Any) -> str | None:
    """The dtype of an array of JAX or NumPy; None for one that is not known, and for all else."""
    value = value.array if isinstance(value, ArrayLike) else value
    if isinstance(value, NumpyArray):
        name = None if value.np_dtype is None else value.np_dtype.name
    else:
        known = arrays.known_of(value)
        name = known.dtype if known is not None else value.dtype.name if is_ndarray(value) else None
    return name if name in DTYPES else None


def number(kind: type) -> Any:
    """A number of Python of which only the type is known: ``number(int)``."""
    return AbstractScalar(kind)


def _dtype(name: str) -> str:
    if name not in DTYPES:
        raise ValueError(f"{name!r} is no dtype; dtypes are {', '.join(DTYPES)}")
    return name


def _dims(shape: Any) -> tuple[Any, ...] | None:
    if type(shape) not in (tuple, list):
        return None
    return tuple(
        dim if type(dim) is int or is_dim(dim) else arrays.size_of(dim) if is_scalar(dim, int) else None
        for dim in shape
    )


def in_place_of(returns: Mapping[str, Callable[..., Any]]) -> Callable[[Natives], Mapping[str, Any]]:
    """What `Overlay.instead` is for a table of what calls of functions give, by the functions' paths."""

    def instead(natives: Natives) -> Mapping[str, Any]:
        modules: dict[str, Namespace] = {}
        for path, function in returns.items():
            _module(modules, path.rpartition(".")[0]).names[path.rpartition(".")[2]] = _native(
                natives, path, function
            )
        return modules

    return instead


def _module(modules: dict[str, Namespace], name: str) -> Namespace:
    """The namespace of a module, which is seen in that of the module around it."""
    if name not in modules:
        modules[name] = Namespace(name)
        outer, _, last = name.rpartition(".")
        if outer:
            _module(modules, outer).names[last] = modules[name]
    return modules[name]


def _native(natives: Natives, path: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return _seen(natives, path, function(*args, **kwargs))
        except Exception as error:  # an overlay's own code may raise anything: it becomes a note
            natives.interpreter.diagnostics.note(
                f"the overlay's {path} ends with {type(error).__name__}: {error}: its result is unknown"
            )
            return UNKNOWN

    return natives.function(call)


def _seen(natives: Natives, path: str, value: Any) -> Any:
    """What a program sees of what an overlay's function gives."""
    if isinstance(value, Object):
        return Namespace(
            **{
                name: _native(natives, f"{path}().{name}", each)
                if callable(each) and not isinstance(each, Unknown)
                else _seen(natives, path, each)
                for name, each in value.attributes.items()
            }
        )
    if type(value) in (tuple, list):
        return type(value)(_seen(natives, path, each) for each in value)
    if type(value) is dict:
        return {key: _seen(natives, path, each) for key, each in value.items()}
    return value
