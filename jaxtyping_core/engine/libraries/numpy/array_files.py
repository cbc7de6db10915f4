"""Arrays that NumPy reads from files and buffers: their numbers are unknown.

Their dtypes are arguments, or files of the project say them, with the shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dtypes import DTYPES
from ...language.sequences import items_of
from ...values import arrays
from ...values.paths import text_of
from ...values.unknowns import UNKNOWN, Archive, NumpyArray, is_unknown

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: What the arrays have whose dtype is not known.
ANY = NumpyArray(None, None)


def loader(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.load``: an array, or the arrays of an archive by their names, which is closed after a ``with``."""

    def load(file: Any = UNKNOWN, *args: Any, **options: Any) -> Any:
        known = interpreter.files.arrays_of(text_of(file))
        if "" in known:
            return _described(known[""])
        if known:
            return Archive({name: _described(each) for name, each in known.items()})
        unknown = interpreter.opaque("numpy.load")
        return unknown if options.get("allow_pickle") or len(args) > 1 else ANY

    return load


def loader_of_jax(interpreter: Interpreter) -> Callable[..., Any]:
    """``jax.numpy.load``: an array of JAX, or an archive of NumPy's."""

    def load(file: Any = UNKNOWN, *args: Any, **options: Any) -> Any:
        path = text_of(file)
        known = interpreter.files.arrays_of(path)
        if "" in known:
            return arrays.of_numpy(_described(known[""]))
        if known:
            return Archive({name: _described(each) for name, each in known.items()})
        unknown = interpreter.opaque("jax.numpy.load")
        return arrays.array(None, False, None) if type(path) is str and path.endswith(".npy") else unknown

    return load


def _described(array: Any) -> Any:
    """An array as its file describes it."""
    name, shape = array
    return NumpyArray(np.dtype(name), tuple(shape)) if name in DTYPES else ANY


def saver(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.save`` and its likes, after which it is not known what is in the file."""

    def save(file: Any = UNKNOWN, *_: Any, **__: Any) -> None:
        interpreter.files.change_arrays(text_of(file))

    return save


def _of(dtype: Any, dims: tuple[int | None, ...] | None) -> Any:
    """An array of a dtype that the program names."""
    if is_unknown(dtype):
        return UNKNOWN
    try:
        known = np.dtype(dtype)
    except TypeError:
        return UNKNOWN
    return NumpyArray(known, dims) if known.name in DTYPES else UNKNOWN


def from_buffer(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.frombuffer``."""
    return lambda buffer=UNKNOWN, dtype=float, count=-1, offset=0, **_: _of(dtype, (_count(count),))


def from_file(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.fromfile``, which reads fewer numbers where the file has no more."""
    return lambda file=UNKNOWN, dtype=float, *_, **__: _of(dtype, (None,))


def from_iterator(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.fromiter``, which takes all that there is, or as many as it is told."""

    def made(iter: Any = UNKNOWN, dtype: Any = UNKNOWN, count: Any = -1, **_: Any) -> Any:
        listed = items_of(interpreter, iter).listed if type(count) is int and count < 0 else None
        return _of(dtype, (_count(count) if listed is None else len(listed),))

    return made


def mapped(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.memmap``: one axis of any length, or a shape."""

    def made(
        filename: Any = UNKNOWN,
        dtype: Any = np.uint8,
        mode: Any = "r+",
        offset: Any = 0,
        shape: Any = None,
        order: Any = "C",
    ) -> Any:
        if shape is None:
            return _of(dtype, (None,))
        sizes = shape if type(shape) in (tuple, list) else (shape,)
        dims = tuple(size if type(size) is int else None for size in sizes)
        return _of(dtype, None if is_unknown(shape) else dims)

    return made


def from_text(interpreter: Interpreter) -> Callable[..., Any]:
    """``numpy.loadtxt`` and ``numpy.genfromtxt``: an array of any rank up to 2, unless it is one of records."""

    def read(fname: Any = UNKNOWN, dtype: Any = float, *_: Any, **options: Any) -> Any:
        if dtype is None or options.get("names") is not None or options.get("usemask"):
            return ANY
        array = _of(dtype, None)
        if isinstance(array, NumpyArray):
            array.most = 2
        return array

    return read


def _count(count: Any) -> int | None:
    return count if type(count) is int and count >= 0 else None


FUNCTIONS: dict[str, Callable[[Interpreter], Callable[..., Any]]] = {
    "numpy.load": loader,
    "jax.numpy.load": loader_of_jax,
    **{f"{module}.{name}": saver for module in ("numpy", "jax.numpy") for name in ("save", "savez")},
    "numpy.savez_compressed": saver,
    "numpy.frombuffer": from_buffer,
    "numpy.fromfile": from_file,
    "numpy.fromiter": from_iterator,
    "numpy.memmap": mapped,
    "numpy.loadtxt": from_text,
    "numpy.genfromtxt": from_text,
}
