"""NumPyro's data sets: arrays of which the dtype and the shape are known."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..language.attributes import Namespace
from ..values import arrays
from ..values.unknowns import UNKNOWN, Number, NumpyArray, Unknown, is_dim

if TYPE_CHECKING:
    from .natives import Natives

#: Data sets that are read in a moment.
SMALL = ("BASEBALL", "BOSTON_HOUSING", "DIPPER_VOLE", "LYNXHARE", "SP500", "UCBADMIT")


def size_of(number: Any) -> Any:
    """A number as a size; None if it may be anything."""
    if type(number) is int or is_dim(number):
        return number
    return arrays.size_of(number) if isinstance(number, Number) and number.kind is int else None


def datasets(natives: Natives) -> Namespace:
    """``numpyro.examples.datasets``: the small data sets, where they have been downloaded before."""
    import jax

    try:
        real = importlib.import_module("numpyro.examples.datasets")
    except ImportError:
        return Namespace()

    def load_dataset(
        dset: Any = UNKNOWN,
        batch_size: Any = None,
        split: Any = "train",
        shuffle: Any = True,
        *_: Any,
        **__: Any,
    ) -> Any:
        if not any(dset is getattr(real, name, None) for name in SMALL) or isinstance(split, Unknown):
            return UNKNOWN
        try:
            with jax.ensure_compile_time_eval():
                _, fetch = real.load_dataset(dset, split=split, shuffle=False)
                rows = fetch()
        except Exception:  # the file is not there, and may not be fetched now
            return UNKNOWN
        size = None if batch_size is None else size_of(batch_size)
        init = natives.function(lambda: (Number(int), NumpyArray(None, (None,))))
        return init, natives.function(
            lambda *_, **__: tuple(_batch(row, size, batch_size is None) for row in rows)
        )

    return Namespace(
        load_dataset=natives.function(load_dataset),
        **{name: value for name in SMALL if (value := getattr(real, name, None)) is not None},
    )


def _batch(rows: Any, size: Any, whole: bool) -> Any:
    """Some of a data set's rows, as an array that is like them."""
    import jax
    import numpy as np

    count = rows.shape[0] if whole else size
    if isinstance(rows, jax.Array):
        return arrays.array(str(rows.dtype), False, (count, *rows.shape[1:]))
    kept = isinstance(rows, np.ndarray) and rows.dtype.kind in "biuf"
    return (
        NumpyArray(rows.dtype, (count if type(count) is int else None, *rows.shape[1:])) if kept else UNKNOWN
    )
