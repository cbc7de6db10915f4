"""Every dtype that JAX accepts in arrays, as one table.

The table is the only list of dtypes in this project: the lattices, the annotations, the stubs and the
plugin are derived from it. Dtypes are named as ``numpy.dtype.name`` names them ("bool", "bfloat16").

Source: ``jax.numpy`` scalar types and ml_dtypes (https://github.com/jax-ml/ml_dtypes); weak types are
described in https://docs.jax.dev/en/latest/type_promotion.html#weak-types.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the names alone serve where importing NumPy would cost too much: in the mypy plugin
    import numpy as np


class DTypeInfo(NamedTuple):
    """One row: the name, the kind, the number of bits of an element, and the abstract class above it."""

    name: str
    kind: str  # one letter as in numpy.dtype.kind: b, i, u, f, c; V and T stand outside promotion
    bits: int  # 0 where elements have no size (float0) or no fixed size (StringDType)
    parent: str

    @property
    def class_name(self) -> str:
        """The name of the class that stands for this dtype in annotations and in ``jax.numpy``."""
        return "bool_" if self.name == "bool" else self.name

    @property
    def alias(self) -> str:
        """The name of the annotation for arrays of this dtype: "UInt8", "BFloat16", "Float8E4M3FN"."""
        head, _, format_name = self.name.partition("_")
        word = head.rstrip("0123456789")
        camel = {"uint": "UInt", "bfloat": "BFloat"}.get(word, word[0].upper() + word[1:])
        return camel + head[len(word) :] + format_name.upper()

    @property
    def promotes(self) -> bool:
        """Whether the dtype takes part in type promotion."""
        return self.kind in "biufc"


def _rows(kind: str, parent: str, **bits: int) -> tuple[DTypeInfo, ...]:
    return tuple(DTypeInfo(name, kind, n, parent) for name, n in bits.items())


DTYPES: dict[str, DTypeInfo] = {
    row.name: row
    for row in (
        *_rows("b", "generic", bool=8),
        *_rows("u", "unsignedinteger", uint1=1, uint2=2, uint4=4, uint8=8, uint16=16, uint32=32, uint64=64),
        *_rows("i", "signedinteger", int1=1, int2=2, int4=4, int8=8, int16=16, int32=32, int64=64),
        *_rows("f", "floating", float4_e2m1fn=4, float6_e2m3fn=6, float6_e3m2fn=6),
        *_rows("f", "floating", float8_e3m4=8, float8_e4m3=8, float8_e8m0fnu=8, float8_e4m3b11fnuz=8),
        *_rows("f", "floating", float8_e4m3fn=8, float8_e4m3fnuz=8, float8_e5m2=8, float8_e5m2fnuz=8),
        *_rows("f", "floating", bfloat16=16, float16=16, float32=32, float64=64),
        *_rows("c", "complexfloating", complex64=64, complex128=128),
        *_rows("V", "generic", float0=0),
        *_rows("T", "generic", StringDType=0),
    )
}

#: The abstract classes, each with the class above it (the scalar hierarchy of NumPy).
ABSTRACT: dict[str, str | None] = {
    "generic": None,
    "number": "generic",
    "integer": "number",
    "signedinteger": "integer",
    "unsignedinteger": "integer",
    "inexact": "number",
    "floating": "inexact",
    "complexfloating": "inexact",
}

#: The abstract classes, each with the name of the annotation for arrays of its dtypes.
ABSTRACT_ALIASES: dict[str, str] = {
    "generic": "Shaped",  # jaxtyping's name for an array of any dtype
    "number": "Number",
    "integer": "Integer",
    "signedinteger": "SignedInteger",
    "unsignedinteger": "UnsignedInteger",
    "inexact": "Inexact",
    "floating": "Floating",
    "complexfloating": "ComplexFloating",
}

#: The weak types: Python scalars and arrays made from them. Each with its kind.
WEAK: dict[str, str] = {"weak_int": "i", "weak_float": "f", "weak_complex": "c"}

#: The types of Python scalars, each with the dtype or weak type that stands for it in promotion.
PYTHON_SCALARS: dict[type, str] = {
    bool: "bool",
    int: "weak_int",
    float: "weak_float",
    complex: "weak_complex",
}

#: What JAX computes with where 64-bit types are switched off (``jax_enable_x64``).
TO_32_BITS: dict[str, str] = {
    "int64": "int32",
    "uint64": "uint32",
    "float64": "float32",
    "complex128": "complex64",
}


def canonical(name: str, x64: bool) -> str:
    """The dtype that JAX uses when `name` is asked for: 64-bit types shrink unless `x64` is on."""
    return name if x64 else TO_32_BITS.get(name, name)


def default_dtype(kind: str, x64: bool) -> str:
    """The dtype of a Python scalar of `kind` (b, i, f or c) where nothing else decides."""
    return canonical({"b": "bool", "i": "int64", "f": "float64", "c": "complex128"}[kind], x64)


def kind(node: str) -> str:
    """The kind (b, i, u, f, c) of a dtype or weak type."""
    return WEAK[node] if node in WEAK else DTYPES[node].kind


def ancestors(name: str) -> tuple[str, ...]:
    """The abstract classes above the dtype or abstract class `name`, nearest first."""
    parent = DTYPES[name].parent if name in DTYPES else ABSTRACT[name]
    return () if parent is None else (parent, *ancestors(parent))


@functools.cache
def numpy_dtype(name: str) -> np.dtype[Any]:
    """The ``numpy.dtype`` called `name`.

    Raises:
        KeyError: there is no such dtype, or the installed NumPy and ml_dtypes lack it.
    """
    import ml_dtypes  # always there: jax requires it
    import numpy as np

    if name == "float0":
        return np.dtype([("float0", np.void, 0)])
    if name in DTYPES:
        scalar_type = getattr(np.dtypes if name == "StringDType" else np, name, None) or getattr(
            ml_dtypes, name, None
        )
        if scalar_type is not None:
            dtype: np.dtype[Any] = np.dtype(scalar_type() if name == "StringDType" else scalar_type)
            return dtype
    raise KeyError(name)


@functools.cache
def available() -> tuple[str, ...]:
    """The names of the dtypes that the installed libraries have, in the table's order."""
    return tuple(name for name in DTYPES if _exists(name))


def _exists(name: str) -> bool:
    try:
        numpy_dtype(name)
    except KeyError:
        return False
    return True
