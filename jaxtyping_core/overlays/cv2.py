"""OpenCV: pictures as arrays of NumPy, of which most functions keep the dtype. Nothing of it is called.

See https://docs.opencv.org/4.x/d6/d00/tutorial_py_root.html. A picture of one channel loses that axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.libraries.overlay import Overlay
from ..engine.values.unknowns import NumpyArray
from . import UNKNOWN, Object, in_place_of, number, shape_of

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

BYTE = np.dtype("uint8")
DTYPES = frozenset({"uint8", "uint16", "int16", "float32", "float64"})
#: The numbers of conversions between colours, each with the channels before and after; None stands for no axis.
CONVERSIONS: dict[int, tuple[int | None, int | None]] = {
    1: (4, 3),
    2: (3, 4),
    3: (4, 3),
    4: (3, 3),
    6: (3, None),
    7: (3, None),
    8: (None, 3),
    **dict.fromkeys((36, 40, 41, 44, 45, 54, 55, 57), (3, 3)),
}
NUMBERS = {
    "COLOR_BGRA2BGR": 1,
    "COLOR_RGBA2RGB": 1,
    "COLOR_BGR2RGBA": 2,
    "COLOR_RGB2BGRA": 2,
    "COLOR_BGRA2RGB": 3,
    "COLOR_BGR2RGB": 4,
    "COLOR_RGB2BGR": 4,
    "COLOR_BGR2GRAY": 6,
    "COLOR_RGB2GRAY": 7,
    "COLOR_GRAY2BGR": 8,
    "COLOR_GRAY2RGB": 8,
    "COLOR_BGR2YCrCb": 36,
    "COLOR_BGR2HSV": 40,
    "COLOR_RGB2HSV": 41,
    "COLOR_BGR2LAB": 44,
    "COLOR_RGB2LAB": 45,
    "COLOR_HSV2BGR": 54,
    "COLOR_HSV2RGB": 55,
    "COLOR_LAB2RGB": 57,
    "IMREAD_UNCHANGED": -1,
    "IMREAD_GRAYSCALE": 0,
    "IMREAD_COLOR": 1,
    "INTER_NEAREST": 0,
    "INTER_LINEAR": 1,
    "INTER_CUBIC": 2,
    "INTER_AREA": 3,
    "INTER_LANCZOS4": 4,
}
#: The channels that a picture of a file has, by how it is read.
READ = {0: None, 1: 3}


def _picture(dtype: Any, rows: Any, columns: Any, channels: int | None) -> NumpyArray:
    sizes = tuple(size if type(size) is int else None for size in (rows, columns))
    return NumpyArray(dtype, sizes if channels is None else (*sizes, channels))


def _read(filename: Any = UNKNOWN, flags: Any = 1) -> Any:
    is_known = type(flags) is int and flags in READ
    return _picture(BYTE, None, None, READ[flags]) if is_known else NumpyArray(None, None)


def _parts(picture: Any) -> tuple[Any, Any, Any, int | None] | None:
    """The dtype, the sizes and the channels of a picture; None if it may have one channel, which it would lose."""
    shape = shape_of(picture)
    dtype = picture.np_dtype if isinstance(picture, NumpyArray) else getattr(picture, "dtype", None)
    is_array = isinstance(picture, NumpyArray | np.ndarray) and (dtype is None or dtype.name in DTYPES)
    if not is_array or shape is None or len(shape) not in (2, 3):
        return None
    channels = shape[2] if len(shape) == 3 else None
    if len(shape) == 3 and type(channels) is not int:
        return None
    return dtype, shape[0], shape[1], None if channels == 1 else channels


def _converted(src: Any = UNKNOWN, code: Any = UNKNOWN) -> Any:
    parts, channels = _parts(src), CONVERSIONS.get(code) if type(code) is int else None
    if parts is None or channels is None:
        dtype = src.np_dtype if isinstance(src, NumpyArray) else None
        return NumpyArray(dtype if channels is not None else None, None)
    return _picture(*parts[:3], channels[1])


def _resized(src: Any = UNKNOWN, dsize: Any = None, *others: Any, dst: Any = None, **_: Any) -> Any:
    parts = _parts(src)
    if parts is None or dst is not None or any(each is not None for each in others[:1]):
        return UNKNOWN
    is_pair = type(dsize) in (tuple, list) and len(dsize) == 2
    columns, rows = dsize if is_pair else (None, None)
    return _picture(parts[0], rows, columns, parts[3])


def _alike(src: Any = UNKNOWN, *_: Any, dst: Any = None, **__: Any) -> Any:
    parts = _parts(src)
    return UNKNOWN if parts is None or dst is not None else _picture(*parts)


def _video(*_: Any, **__: Any) -> Any:
    return Object(
        read=lambda *_: (number(bool), _picture(BYTE, None, None, 3)),
        isOpened=lambda: number(bool),
        get=lambda *_: number(float),
        release=lambda: None,
    )


def _namespaces(natives: Natives) -> Any:
    functions: dict[str, Callable[..., Any]] = {
        "imread": _read,
        "cvtColor": _converted,
        "resize": _resized,
        "VideoCapture": _video,
        "flip": _alike,
        "GaussianBlur": _alike,
        "medianBlur": _alike,
    }
    modules = in_place_of({f"cv2.{name}": function for name, function in functions.items()})(natives)
    modules["cv2"].names.update(NUMBERS)
    return modules


OVERLAY = Overlay(library="cv2", may_fail=True, instead=_namespaces)
