"""Tensors of PyTorch, as a program gets them from its data: they hold an array of NumPy, and little more is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.values import heap
from ..engine.values.callables import Holder
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray, is_scalar
from ._describing import dtype_of, numpy_array, shape_of
from ._items import stacked

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: Methods that give a tensor of another dtype, by its name.
CASTS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "bfloat16": "bfloat16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "byte": "uint8",
    "bool": "bool",
}
#: Methods that give the same numbers.
SAME = ("clone", "contiguous", "cpu", "cuda", "detach", "pin_memory", "requires_grad_")
#: Python's types of the numbers in a tensor, by the kind of its dtype.
NUMBERS = {"f": float, "i": int, "u": int, "b": bool, "c": complex}


def tensor(natives: Natives, array: Any) -> Any:
    """A tensor that holds an array; nothing is known of one of which that is not known."""
    shape, dtype = shape_of(array), dtype_of(array)
    if shape is None and dtype is None:
        return UNKNOWN
    known = array if isinstance(array, NumpyArray) else numpy_array(str(dtype), shape)
    interpreter, function = natives.interpreter, natives.function

    def of_dtype(name: str) -> Any:
        return function(
            lambda *_, **__: tensor(natives, numpy_array(name, UNKNOWN if shape is None else shape))
        )

    def item(*_: Any) -> Any:
        kind = None if known.np_dtype is None else NUMBERS.get(known.np_dtype.kind)
        return UNKNOWN if kind is None else AbstractScalar(kind)

    def reshaped(*sizes: Any) -> Any:
        return tensor(natives, interpreter.call(interpreter.attribute(known, "reshape"), [*sizes], {}))

    same = function(lambda *_, **__: tensor(natives, known))
    return Holder(
        known,
        function(lambda held=UNKNOWN: tensor(natives, held)),
        numpy=function(lambda *_, **__: known),
        shape=interpreter.attribute(known, "shape"),
        ndim=interpreter.attribute(known, "ndim"),
        item=function(item),
        **dict.fromkeys(("reshape", "view"), function(reshaped)),
        **dict.fromkeys(SAME, same),
        **{method: of_dtype(name) for method, name in CASTS.items()},
    )


def collated(natives: Natives, item: Any, size: Any, is_whole: bool) -> Any:
    """What a loader makes of items by itself: tensors of their arrays and numbers, one below the other."""
    if type(item) is dict:
        return heap.made({key: collated(natives, each, size, is_whole) for key, each in item.items()})
    if type(item) in (list, tuple):
        return heap.made([collated(natives, each, size, is_whole) for each in item])
    if isinstance(item, Holder):
        item = item.array
    is_known = isinstance(item, (NumpyArray, bool, int, float)) or dtype_of(item) is not None
    return tensor(natives, stacked(item, size, is_whole)) if is_known or is_scalar(item) else UNKNOWN
