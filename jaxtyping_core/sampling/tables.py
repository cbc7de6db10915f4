"""Every table of samples, and every limit of sampling. Each row has its reason.

A sample is a concrete value that is tried in place of an unknown one. Samples are not random: each is a case of its own
to some function of JAX or NumPy, or to programs. The order of a table is the order in which its rows are tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

# Dtypes.

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
#: The dtypes of an argument of which nothing is known: one of each kind, for there are ranks and sizes to try as well.
FEW_DTYPES = DTYPES[:6]
#: Dtypes that arrays have only with 64-bit types, and for which others do not stand.
WIDE_DTYPES = (("float64", False), ("complex128", False))
#: The dtypes that tell most, which are tried with every rank and size before the others are.
FIRST_DTYPES = DTYPES[:2]
#: Raw random keys: where they are expected no other dtype is accepted, and no other size.
RAW_KEYS = ((("uint32", False),), (2, 2))
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
#: The dtypes of an abstract class of NumPy: the one first that JAX makes of Python's numbers, and others of the kind.
DTYPES_OF_CLASS = {
    "generic": ("float32", "int32", "bool_"),
    "number": ("float32", "int32", "complex64"),
    "inexact": ("float32", "complex64"),
    "floating": ("float32", "bfloat16"),
    "integer": ("int32", "uint8"),
    "signedinteger": ("int32", "int8"),
    "unsignedinteger": ("uint8", "uint32"),
    "complexfloating": ("complex64",),
}
#: What a parameter is that is called a dtype: floats, ints, and narrower floats.
DECLARED_DTYPE_OBJECTS = ("float32", "int32", "float16")

# Ranks and lengths.

#: Numbers of dims for an unknown one. One first: it shows which functions need the numbers in an array.
RANKS = (1, 2, 0, 3, 4, 5)
#: The same of layers: pictures have three dims or four, and no layer takes five.
LAYER_RANKS = (1, 2, 3, 4, 0)
#: The same of several arrays at once, for there are many combinations.
FEW_LAYER_RANKS = (1, 2, 0, 3)
#: No array of more dims is tried for a layer.
MOST_LAYER_RANK = 6
#: The same of NumPy's arrays; one more than those of other arrays comes after these.
NUMPY_RANKS = (1, 2, 3, 0, 4)
#: How many dims ``*batch`` and ``...`` are in a declaration: one, none, several.
DECLARED_RANKS = (1, 0, 2)
#: How many dims an array has of which none are declared: a matrix is most likely.
UNDECLARED_RANKS = (2, 1, 3, 0)
#: How many sizes an unknown tuple of sizes has: the last is longer than any shape that it may meet.
LENGTHS = (1, 2, 0, 3, 8)
#: How many items an unknown list has, of which a function makes an array or a tree; none is tried where it may be empty.
LIST_LENGTHS = (2, 3, 1)
#: The same of a list in a typed program. None at all may be something else (``jnp.array([])`` is float32), and so may be
#: more than an array has dims (``jnp.tile``).
TYPED_LIST_LENGTHS = (0, 1, 2, 3, 8)
#: The sizes of a result whose length depends on the numbers in an array: two, so that no size is taken for the right one.
RESULT_LENGTHS = (3, 5)

# Sizes that stand for symbols. A mismatch of two symbols stays one, for those of a row are distinct.

#: The first choices of sizes. The order of the sizes changes from one row to the next, so that a minimum is not taken for
#: one of its parts.
SYMBOL_SIZES = (
    # large, with many divisors: a reshape or a split does not fail that some size would allow
    [240 * p for p in (11, 17, 23, 31, 41, 47, 59, 67)],
    [240 * p for p in (71, 61, 53, 43, 37, 29, 19, 13)],
    # small: they show where a result stops to follow them, as a minimum with a number does
    [5, 3, 7, 2, 13, 11, 19, 17],
    # 1, which fits every other size
    [2, 1, 3, 1, 2, 1, 3, 1],
    [1, 2, 1, 3, 1, 2, 1, 3],
    # equal, which JAX may treat as a case of its own
    [6] * 8,
)
#: How many of these rows have no size 1 and no equal sizes.
DISTINCT_ROWS = 3
#: Further choices, under which a formula for a size must hold that fits the first ones.
MORE_SYMBOL_SIZES = (
    # other multiples, in another order
    [240 * p for p in (5, 3, 7, 2, 9, 4, 8, 6)],
    # large and prime; large, of one factor 2
    [101, 211, 67, 151, 53, 307, 131, 251],
    [154, 94, 178, 62, 218, 118, 86, 122],
    # the first symbol has each size from 1 to 10; two symbols are less than, equal to and more than each other, and neighbours
    [3, 4, 6, 8, 5, 9, 10, 7],
    [4, 3, 8, 6, 7, 5, 9, 10],
    [7, 8, 9, 10, 11, 12, 13, 14],
    [8, 7, 6, 5, 4, 3, 2, 1],
    [9, 1, 8, 2, 7, 3, 6, 4],
    [1, 9, 2, 8, 3, 7, 4, 6],
    [10, 4, 16, 3, 12, 2, 20, 5],
    [2] * 8,
    [1] * 8,
)
#: Python ints of unknown value, beside the first choices: they count axes and steps more often than sizes.
INT_SIZES = ([2, 3, 4, 5, 6, 7, 8, 9], [3, 5, 7, 9, 11, 13, 15, 17], *([n] * 8 for n in (1, 2, 1, 2)))
#: The same beside the further choices.
MORE_INT_SIZES = tuple([n % 4 + 1] * 8 for n in range(len(MORE_SYMBOL_SIZES)))
#: Sizes for which a symbolic result must hold, too: some functions have special cases for small ones.
CONFIRMING_SIZES = (2, 3)
#: The same of a result with formulas: to JAX, a symbol is true (``if n % 8``) and equal to nothing.
CONFIRMING_FORMULAS = ((5, 3, 7, 2, 13, 11), (48, 72, 120, 24, 96, 144))
#: What an unknown int is where a result has its symbol. JAX takes a symbol for at least 1, but a loop's index begins with 0.
NUMBER_SIZES = (
    *((2, 3, 5), (5, 2, 3)),  # distinct, in two orders
    (3, 4, 1),
    (4, 4, 4),  # equal
    *((0, 1, 2), (0, 0, 0)),  # none
)

# Sizes for unknown dims.

#: Sizes beside those that other dims have. 1 broadcasts with every other.
SIZES = (6, 1)
#: Sizes of which all equal ones are tried for all symbols of a call after those.
UNIFORM_SIZES = (
    *(7, 2),  # odd; a pair
    *(240, 720),  # these can be split into as many parts as programs ask for
    *(1031, 4099),  # of these a part can be taken that is as large as programs take
)
#: Those of them that differ most, for calls that take long.
FEW_UNIFORM_SIZES = (7, 1031)
#: A size that differs from `SIZES`, for one symbol among others.
OTHER_SIZE = 7
#: The rows of an array of one column: what is put below others broadcasts with them, and may have any number of rows.
LEADING_SIZE = 7
#: JAX treats no elements, one, and the same number as cases of their own.
SPECIAL_SIZES = (0, 1, 6)
#: Sizes that some functions ask for: of raw keys, vectors in space, squares.
SMALL_SIZES = (2, 3, 4)
#: The size of all unknown dims where only dtypes are asked for, which do not depend on it.
DTYPE_SIZE = 3
#: The size of all dims of a call that is refused for its ranks: JAX's words about these do not depend on it.
RANK_SIZE = 6
#: Sizes that all unknown ones are while arguments of a layer are tried.
LAYER_SIZES = (6, 9)
#: A size that is large enough for the windows and strides of layers.
WINDOW_SIZE = 40
#: Sizes of NumPy's arrays: of few items, what goes by eights is one.
NUMPY_SIZES = (6, 5, 1, 33)
#: The sizes of arrays of NumPy, and ints that divide them: else `reshape(batch, -1)` would take as many as there are.
NUMPY_DIVISIBLE = (*itertools.product((60, 144), (6, 5, 4, 3, 2)), (36, 6), (25, 5))
#: What sizes are multiplied by that a function was called with, so that what divides them still does.
FACTORS = (3, 2)


def neighbours(size: int) -> list[int]:
    """Sizes that a call accepts too, if it accepts more than one: others nearby, multiples and parts."""
    near = (size + 1, 2 * size, 1, size - 1, 3 * size, size // 2)
    return [other for other in dict.fromkeys(near) if other > 0 and other != size]


#: Sizes of declared dims: coprime, so that nothing divides by chance.
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)
#: Sizes that have many divisors, for what splits an axis into parts.
COMPOSITES = (12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144)
#: Sizes that are halved again and again.
POWERS = (4, 8, 16, 32, 64, 128, 256, 512)
#: Odd sizes of which all, or the half, is 1.
SMALL_DECLARED: tuple[int, ...] = (1, 3)
#: All dims of one size: those of which all or the half is 1, and an even one.
EQUAL_DECLARED = (1, 3, 4)


class BodySample(NamedTuple):
    """What a call gives that a signature leaves open.

    Attributes:
        sizes: those of dims, in the order in which they are met.
        several: how many axes several dims (``*batch``) are.
        dtype: which of the dtypes of a class arrays have.
        value: what an int is that annotations name (``{width}``); further ones are multiples of it.
    """

    sizes: tuple[int, ...]
    several: int
    dtype: int
    value: int


_ROUGH = (12, 20, 28, 44, 52, 68, 76, 92, 116, 124)
_SMOOTH = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
#: All different sizes, and even, for bodies halve them; larger than what programs write in slices. Each two dims are in both
#: orders, for a slice is cut off where there is less; and with and without a remainder, for bodies divide. A value divides
#: them, is divided by them, or neither; is less and is more than they are.
BODY_SAMPLES = (
    BodySample(_ROUGH, 2, 0, 4),
    BodySample(_ROUGH[5::-1] + _ROUGH[6:], 1, 1, 3),
    BodySample(_SMOOTH, 1, 2, 3072),
    BodySample(_SMOOTH[5::-1] + _SMOOTH[6:], 2, 0, 2),
    BodySample((44, 12, 28, 68, 20, 52, *_ROUGH[6:]), 2, 1, 200),
    BodySample((28, 44, 12, 20, 68, 52, *_ROUGH[6:]), 1, 2, 1),
    BodySample((64, 16, 128, 32, 256, 512, *_SMOOTH[6:]), 2, 1, 5120),
    BodySample((32, 128, 16, 64, 512, 256, *_SMOOTH[6:]), 1, 0, 8),
)

# Numbers.

#: Python scalars of unknown value, by their types: axes, options, powers. No two rows of ints are none, or less than none.
SCALARS: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "int": (0, 1, -1, 2, 3, 5),
    "float": (0.5, 2.0, -1.0, 3.0),
    "complex": (1j, 2.0 - 1.0j, 0j),
}
#: The rows of ints that no size is.
NO_SIZES = tuple(number for number, value in enumerate(SCALARS["int"]) if value < 1)
#: What unknown numbers are of a call in a program, beside its unknown arrays.
NUMBERS: dict[type, tuple[Any, ...]] = {
    int: (0, 1, 2, 3, 5, -1),
    bool: (False, True),
    float: (0.5, 2.0, -1.0),
}
#: What all unknown ints are, for a call that asks for equal ones.
EQUAL_INTS = (1, 2, 3)
#: Numbers of steps, as programs have them: those of a warm-up are fewer than the others.
STEPS: dict[type, tuple[Any, ...]] = {**NUMBERS, int: (100, 1000, 109, 1009), float: (0.5, 2.0)}
#: One number of each type, for an operator of Python and for what is no size of a layer.
ONE_OF_TYPE: dict[type, Any] = {bool: True, int: 2, float: 0.5, complex: 1j, str: "a"}
OPTION_OF_TYPE: dict[type, Any] = {bool: False, float: 0.5, complex: 1j}
#: What is no array, and may be an argument of which nothing is known: sizes, axes, options, no option, no shape.
CONSTANTS = (0, 1, -1, 2, 0.5, True, None, ())
#: The same of a layer, for which there are arrays to try as well.
LAYER_CONSTANTS = (0, 1, 0.5, True, None, ())
#: Dtype objects that an argument of which nothing is known may be.
CONSTANT_DTYPES = ("float16", "int32", "bool")
#: Ints of which only the program knows what they are for, by their place among such: no two alike.
MADE_UP_INTS: tuple[Callable[[int], int], ...] = (
    lambda place: place + 2,  # sizes, from a pair on
    lambda place: place + 1,  # ... from 1 on
    lambda place: 5 - place if place < 5 else place + 1,  # shrinking: the first is the largest
    lambda place: 2 * place + 3,  # odd
    lambda place: place,  # axes
)
#: Keys of a declared dict, by their type.
DICT_KEYS: dict[type, tuple[Any, ...]] = {str: ("a", "b"), int: (0, 1)}

#: What the numbers in an array are made of that a call needs, from their places: none, a mask, no zero, and in no order.
FILLS: tuple[Callable[[Any], Any], ...] = (
    lambda places: places * 0,
    lambda places: places % 2,
    lambda places: places % 3 + 1,
    lambda places: places[::-1] % 3,
)

# How many samples must be accepted for something to be believed; `proof` says of what.

#: Different sizes for the unknown dims of a call.
FEWEST_SIZES = 2
#: Further choices of sizes for a formula.
FEWEST_FOR_FORMULA = 3
#: Samples for an argument of which nothing is known: one alone is what a function happens to do with it.
FEWEST_OF_ANYTHING = 4
#: Of `FILLS`.
FEWEST_FILLED = 3
#: Samples of the only array, for each dtype and each rank; of several arrays, the places are tried one by one as well.
ENOUGH_OF_EACH = 2
#: Samples of different dtypes, which have different sizes in memory: a result has the dims that it has for all of them.
ENOUGH_DTYPES = 5
#: Different sizes that were the same as another's for it to be that.
ENOUGH_SOURCES = 3

# Limits of one abstract call.

#: Choices of sizes for the unknown dims, and those after which fewer are tried if enough are accepted.
MOST_SIZE_CHOICES, MOST_SIZES = 30, 12
#: Samples for parts that are no arrays, and of unequal arrays where no equal ones are accepted.
MOST_OTHERS, MOST_MIXED = 16, 32
#: Samples of equal arrays that are all refused, after which no more are tried.
MOST_REFUSED = 24
#: Dims and samples of a call whose refusal is to be the same for every sample.
MOST_REFUSED_DIMS, MOST_REFUSED_SAMPLES = 12, 120
#: Ranks with which dtypes after the first are tried of such a call.
FEW_REFUSED_RANKS = 3
#: Symbols of a call whose sizes are looked into for formulas: the terms grow with the square of it.
MOST_FORMULA_SYMBOLS = 4
#: What a size is divided by at most in a formula, and what it is made a multiple of.
MOST_PARTS, MULTIPLES = 64, (2, 4, 8)
#: Samples of a call in a program: as many as there are dtypes, ranks and sizes for one array.
MOST_SAMPLES = 270
#: Samples where there are more than that. They show that nothing is known, or that no dtype, rank or size follows from what
#: is not: both show early, and nothing else can be shown by a part of the samples.
MOST_OF_MANY = 90
#: Samples that are refused with the same words, after which no more are tried: it is for another reason than what they are.
ALIKE = 12
#: Sizes that JAX's and NumPy's messages name, which are tried.
MOST_NAMED = 8
#: Steps of the walk that samples may take, and the same where none is accepted: loops of JAX, most of all, take nothing
#: that is made up for several arguments.
MOST_STEPS, MOST_STEPS_IN_VAIN = 3000, 1000
#: Steps of one sample that are many: it walks functions of the program within functions of the program.
MANY_STEPS = 500
#: Symbols of which each is tried as another size than the others.
MOST_VARIED_SYMBOLS = 12
#: Samples of a call of a layer, for each of `LAYER_SIZES`.
MOST_LAYER_SAMPLES = 160
#: Items of an array that stands in for one of NumPy; the same of one that is really computed with.
MOST_ITEMS, MOST_COMPUTED_ITEMS = 1_000_000, 20_000
#: Multiplications that a product of matrices may take.
MOST_PRODUCTS = 200_000_000
#: Walks of the body of a loop: what it makes of an unknown leaf is what that has been, and may make more known.
MOST_LOOP_ROUNDS = 3
#: Sizes among which the smallest are looked for that show a contradiction.
MOST_SEARCHED = 150
#: Calls in place of one with unions and lists of unknown length.
MOST_UNION_CHOICES = 20
