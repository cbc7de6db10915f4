"""Sizes that are tried for symbols and for unknown dims."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

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
#: What stands for the dims of a declaration where must hold, too, what holds for symbols: each is 1, and those of formulas.
CONFIRMING_DECLARED = ((1,), *CONFIRMING_FORMULAS)
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
#: How much larger, and smaller, each array is than the one before, where a function takes arrays of different sizes.
SIZE_STEPS = (4, -2)
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
#: Sizes that a layer's unknown size is while it is made, and others its multiples; the next ones where too few are accepted.
LAYER_FAMILIES = (
    (2, 3, 5),  # small, and none divides another
    (8, 16, 24),  # they can be split into heads and groups
    (1, 2, 4),  # each divides the next
    (64, 128, 192),  # large
)
#: A size that is large enough for the windows and strides of layers.
WINDOW_SIZE = 40
#: Sizes of NumPy's arrays: of few items, what goes by eights is one.
NUMPY_SIZES = (6, 5, 1, 33)
#: The sizes of arrays of NumPy, and ints that divide them: else `reshape(batch, -1)` would take as many as there are.
NUMPY_DIVISIBLE = (*itertools.product((60, 144), (6, 5, 4, 3, 2)), (36, 6), (25, 5))
#: How many rows the axis has that collective functions go over: what follows from the number differs.
ROW_COUNTS = (2, 3)
#: The shape of what inference transforms, where only its dtype is asked for: rows of vectors, and a square.
CONSTRAINED_SHAPE = (2, 2)
#: How many devices there are where that is not known: one, and few, by which most batches can be divided.
DEVICE_COUNTS = (1, 2, 4)
#: Others, if an argument has a size that they divide.
DEVICE_FACTORS = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
#: Shapes of arrays that are called like random keys and are none: of any size, and of one that no raw key has.
NO_KEY_SHAPES = tuple((dim,) * rank for dim in (None, 3) for rank in (1, 2, 3))
#: What sizes are multiplied by that a function was called with, so that what divides them still does.
FACTORS = (3, 2)


def neighbours(size: int) -> list[int]:
    """Sizes that a call accepts too, if it accepts more than one: others nearby, multiples and parts."""
    near = (size + 1, 2 * size, 1, size - 1, 3 * size, size // 2)
    return [other for other in dict.fromkeys(near) if other > 0 and other != size]


def unlike(size: int, sizes: Sequence[int]) -> tuple[int, int]:
    """Sizes of another kind than multiples, for one among `sizes`.

    One more, as a body may halve and double it; and the largest, as a body may take the larger of two.
    """
    return size + 1, size * (max(sizes) // size + 2)


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
        dtype: which of the dtypes of a class arrays have.
        value: what an int is that annotations name (``{width}``); further ones are multiples of it.
    """

    sizes: tuple[int, ...]
    dtype: int
    value: int


_ROUGH = (12, 20, 28, 44, 52, 68, 76, 92, 116, 124)
_SMOOTH = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
#: All different sizes, and even, for bodies halve them; larger than what programs write in slices. Each two dims are in both
#: orders, for a slice is cut off where there is less; and with and without a remainder, for bodies divide. A value divides
#: them, is divided by them, or neither; is less and is more than they are.
BODY_SAMPLES = (
    BodySample(_ROUGH, 0, 4),
    BodySample(_ROUGH[5::-1] + _ROUGH[6:], 1, 3),
    BodySample(_SMOOTH, 2, 3072),
    BodySample(_SMOOTH[5::-1] + _SMOOTH[6:], 0, 2),
    BodySample((44, 12, 28, 68, 20, 52, *_ROUGH[6:]), 1, 200),
    BodySample((28, 44, 12, 20, 68, 52, *_ROUGH[6:]), 2, 1),
    BodySample((64, 16, 128, 32, 256, 512, *_SMOOTH[6:]), 1, 5120),
    BodySample((32, 128, 16, 64, 512, 256, *_SMOOTH[6:]), 0, 8),
)
