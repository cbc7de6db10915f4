"""TensorFlow: data sets of arrays and their batches, as programs read them. Nothing of it is called.

See https://www.tensorflow.org/api_docs/python/tf/data/Dataset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Holder, Namespace
from ..engine.values.unknowns import UNKNOWN
from ._describing import dtype_of, numpy_array, shape_of
from ._tensor_sets import rows_of, tensor, tensor_set
from .keras import data_sets

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

DTYPES = ("bool", "float16", "bfloat16", "float32", "float64", "int32", "int64", "uint8")


def _dtype(name: str) -> Any:
    return UNKNOWN if name == "bfloat16" else np.dtype(name)


def _namespaces(natives: Natives) -> dict[str, Any]:
    function = natives.function

    def cast(x: Any = UNKNOWN, dtype: Any = UNKNOWN, **_: Any) -> Any:
        held = x.array if isinstance(x, Holder) else x
        if not isinstance(dtype, np.dtype):
            return UNKNOWN
        shape = shape_of(held)
        return tensor(natives, numpy_array(dtype.name, UNKNOWN if shape is None else shape))

    def one_hot(indices: Any = UNKNOWN, depth: Any = UNKNOWN, *args: Any, **options: Any) -> Any:
        held = indices.array if isinstance(indices, Holder) else indices
        shape = shape_of(held)
        if shape is None or args or options or dtype_of(held) is None:
            return UNKNOWN
        return tensor(natives, numpy_array("float32", (*shape, depth if type(depth) is int else None)))

    def of_slices(tensors: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        return tensor_set(natives, lambda: rows_of(natives, tensors))

    of_data = Namespace(
        "tensorflow.data",
        AUTOTUNE=-1,
        Dataset=Namespace("tensorflow.data.Dataset", from_tensor_slices=function(of_slices)),
    )
    whole = Namespace(
        "tensorflow",
        data=of_data,
        cast=function(cast),
        one_hot=function(one_hot),
        **{name: _dtype(name) for name in DTYPES},
    )
    of_keras = data_sets(natives, "tensorflow.keras")
    whole.names["keras"] = of_keras["tensorflow.keras"]
    return {**of_keras, "tensorflow": whole, "tensorflow.data": of_data}


OVERLAY = Overlay(library="tensorflow", is_onlooker=True, may_fail=True, instead=_namespaces)
