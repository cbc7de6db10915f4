"""Numbers of dims, and lengths, that are tried for unknown ones."""

from __future__ import annotations

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
#: The sizes of a result whose length depends on the numbers in an array: two, so that no size is taken for the right one.
RESULT_LENGTHS = (3, 5)
#: The same where an assumption is walked: each stands for a function of its own.
ASSUMED_RANKS = (0, 1, 2, 3)
#: How many arguments ``*args`` are: two, which need not be equal.
STARRED_ARGUMENTS = 2
#: How many items a declared list or tuple of any length has: two, for the same reason.
DECLARED_LENGTH = 2


def other_ranks(dims: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Shapes of other ranks that a layer may accept as well, if it accepts one."""
    return (
        (4, *dims),  # several in a batch
        (*dims, 1),  # a last axis that broadcasts
        (1, *dims),  # one in a batch
        (4, 5, *dims),  # two axes of a batch
        dims[1:],  # without the first axis
    )
