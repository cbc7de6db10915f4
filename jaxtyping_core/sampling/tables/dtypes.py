"""Dtypes that are tried for unknown ones."""

from __future__ import annotations

from collections.abc import Collection

from ...dtypes import kind as kind_of
from .limits import MOST_UNLISTED_DTYPES

#: Dtypes for an unknown one, each with whether it is weak.
DTYPES = (
    ("float32", False),  # most arrays
    ("int32", False),  # divided, it is a float; the one dtype of indices
    ("bool", False),  # masks; it has no `-` and its sum is an int
    ("complex64", False),  # its real part has another dtype; it has no order
    ("bfloat16", False),  # with float16 it gives float32
    ("uint8", False),  # unsigned; with int8 it gives int16
    ("float16", False),  # the other half precision
    ("float32", True),  # Python floats: any float wins over them
    ("int32", True),  # Python ints: any number wins over them
    ("complex64", True),  # Python complex numbers
    ("int8", False),  # signed and narrow
    ("uint32", False),  # random bits, raw keys
    ("int64", False),  # without 64-bit types it is int32
    ("float64", False),  # ... and this one float32
    ("complex128", False),  # ... and this one complex64
    ("key<fry>", False),  # random keys: few functions take them, and those take nothing else
)
#: The dtypes that an unknown argument is tried with: one of each kind. Ranks and sizes are tried as well.
FEW_DTYPES = DTYPES[:6]
#: Dtypes that arrays have only with 64-bit types, and for which others do not stand.
WIDE_DTYPES = (("float64", False), ("complex128", False))
#: The dtypes that tell most, which are tried with every rank and size before the others are.
FIRST_DTYPES = DTYPES[:2]
#: Raw random keys: where they are expected no other dtype is accepted, and no other size.
RAW_KEYS = ((("uint32", False),), (2, 2))
#: Arrays that stand for others where several arguments are unknown, each with its dims: all samples of all would be too many.
FEW_ARRAYS: tuple[tuple[str, tuple[int | None, ...]], ...] = (
    ("float32", (None,)),  # a vector
    ("int32", (None, None)),  # no float, and another rank
)
#: Random keys that an unknown argument is tried with: typed ones, and raw ones.
FEW_KEYS: tuple[tuple[str, tuple[int | None, ...]], ...] = (("key<fry>", ()), ("uint32", (2,)))
#: Dtypes under which a refusal must be the same: numbers of each kind, and keys.
REFUSED_DTYPES = ("float32", "int32", "bool", "key<fry>")
#: One dtype for all arrays of a refused call: if one of these is accepted, the refusal is about dtypes.
UNIFORM_DTYPES = ("float32", "int32", "bool")
#: What an unknown dtype object is: one of each kind.
DTYPE_OBJECTS = ("float32", "int32", "bool", "complex64", "bfloat16", "uint8")
#: Dtypes for an unknown one of NumPy, whose own floats and ints are wide; of uint8 are pictures.
NUMPY_DTYPES = ("float64", "uint8", "int64", "float32", "bool")
#: The dtypes of each kind that an annotation may leave open; the first one where several kinds are declared.
DTYPES_OF_KIND = {
    "f": ("float32", "bfloat16", "float16"),
    "i": ("int32", "int8"),
    "b": ("bool",),
    "u": ("uint32", "uint8"),
    "c": ("complex64",),
}


def of_each_kind(names: Collection[str], whole: Collection[str]) -> list[str]:
    """The dtypes that are tried for a set of them: all rows of the kinds in `whole`, and the first of each other kind.

    The first ones of a set stand for a kind of which no row is in it.
    """
    tried: list[str] = []
    for kind, rows in DTYPES_OF_KIND.items():
        listed = [name for name in rows if name in names]
        unlisted = [name for name in names if kind_of(name) == kind][:MOST_UNLISTED_DTYPES]
        tried += (listed or unlisted)[: None if kind in whole else 1]
    return tried


#: What a dtype is in turns that a recorded call was passed, for recordings do not keep which. No class but that of all has
#: these: a result that follows it is of any dtype. Where only sizes are asked for, it is the first.
PASSED_DTYPES = (
    "float32",  # most are
    "int32",  # it is a number, and no float
    "bool",  # it is no number
)
#: What a parameter is that is called a dtype: floats, ints, and narrower floats.
DECLARED_DTYPE_OBJECTS = ("float32", "int32", "float16")
#: The dtype of an array of a class of dtypes where only sizes are asked for: the first that is in the class.
ASSUMED_DTYPES = ("float32", "int32", "uint8", "complex64", "bool", "bfloat16", "key<fry>")
