# ruff: noqa: N999  # the module has the name of the package
"""Pillow: pictures, whose modes and sizes say what arrays they become. Nothing of it is called.

See https://pillow.readthedocs.io/en/stable/handbook/concepts.html#modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Holder, Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, NumpyArray
from ._describing import dtype_of, numpy_array, shape_of

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: The dtype of each mode, and the channels; none where a picture has no axis of them.
MODES: dict[str, tuple[str, int | None]] = {
    "1": ("bool", None),
    "L": ("uint8", None),
    "I": ("int32", None),
    "F": ("float32", None),
    "LA": ("uint8", 2),
    "RGB": ("uint8", 3),
    "HSV": ("uint8", 3),
    "YCbCr": ("uint8", 3),
    "RGBA": ("uint8", 4),
    "CMYK": ("uint8", 4),
}
#: Methods that keep the mode and the size.
SAME = ("copy", "filter", "effect_spread")
#: The modes of arrays by their channels.
OF_CHANNELS = {None: "L", 3: "RGB", 4: "RGBA"}
Size = tuple[int | None, int | None]
ANY: Size = (None, None)


def _array(mode: str | None, size: Size) -> Any:
    """The array that a picture becomes: its height comes first."""
    if mode is None:
        return NumpyArray(None, None)
    dtype, channels = MODES[mode]
    width, height = size
    return numpy_array(dtype, (height, width) if channels is None else (height, width, channels))


def _picture(natives: Natives, mode: str | None, size: Size) -> Holder:
    function = natives.function

    def convert(mode: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        return _picture(natives, mode if type(mode) is str and mode in MODES else None, size)

    def resize(size: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        return _picture(natives, mode, _size(size))

    def of_any_size(*_: Any, **__: Any) -> Any:
        return _picture(natives, mode, ANY)

    def shrink(*_: Any, **__: Any) -> None:
        made.array, made.names["size"] = _array(mode, ANY), UNKNOWN
        made.names.update(width=AbstractScalar(int), height=AbstractScalar(int))

    def number(size: int | None) -> Any:
        return AbstractScalar(int) if size is None else size

    any_size = dict.fromkeys(("crop", "rotate", "transpose", "reduce", "transform"), function(of_any_size))
    nothing = dict.fromkeys(("save", "close", "load", "show"), function(lambda *_, **__: None))
    same = function(lambda *_, **__: _picture(natives, mode, size))
    made = Holder(
        _array(mode, size),
        function(lambda _=UNKNOWN: _picture(natives, None, ANY)),
        mode=UNKNOWN if mode is None else mode,
        size=tuple(map(number, size)),
        width=number(size[0]),
        height=number(size[1]),
        convert=function(convert),
        resize=function(resize),
        thumbnail=function(shrink),
        **any_size,
        **nothing,
        **dict.fromkeys(SAME, same),
    )
    return made


def _size(size: Any) -> Size:
    if type(size) not in (tuple, list) or len(size) != 2:
        return ANY
    width, height = (each if type(each) is int and each > 0 else None for each in size)
    return width, height


def _namespaces(natives: Natives) -> dict[str, Any]:
    function = natives.function

    def of_array(array: Any = UNKNOWN, mode: Any = None, *_: Any, **__: Any) -> Any:
        shape, dtype = shape_of(array), dtype_of(array)
        if mode is not None or dtype != "uint8" or shape is None or len(shape) not in (2, 3):
            return _picture(natives, None, ANY)
        known = OF_CHANNELS.get(shape[2] if len(shape) == 3 else None)
        return _picture(natives, known, _size((shape[1], shape[0])))

    def new(mode: Any = UNKNOWN, size: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        return _picture(natives, mode if type(mode) is str and mode in MODES else None, _size(size))

    image = Namespace(
        "PIL.Image",
        open=function(lambda *_, **__: _picture(natives, None, ANY)),
        fromarray=function(of_array),
        new=function(new),
    )
    return {"PIL": Namespace("PIL", Image=image), "PIL.Image": image}


OVERLAY = Overlay(library="PIL", is_onlooker=True, may_fail=True, instead=_namespaces)
