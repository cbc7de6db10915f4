"""Python scalars, and numbers in arrays, that are tried for unknown ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
#: Numbers that all unknown ones are for an operator after that: the type of what it gives must be the same.
OTHER_NUMBERS = (3, 7)
#: Values other than arrays that an unknown argument is tried with: sizes, axes, options, no option, no shape.
CONSTANTS = (0, 1, -1, 2, 0.5, True, None, ())
#: The same of a layer, for which there are arrays to try as well.
LAYER_CONSTANTS = (0, 1, 0.5, True, None, ())
#: Dtype objects that an unknown argument is tried with.
CONSTANT_DTYPES = ("float16", "int32", "bool")
#: Ints of which only the program knows what they are for, by their place among such: no two alike.
MADE_UP_INTS: tuple[Callable[[int], int], ...] = (
    lambda place: place + 2,  # sizes, from a pair on
    lambda place: place + 1,  # ... from 1 on
    lambda place: 5 - place if place < 5 else place + 1,  # shrinking: the first is the largest
    lambda place: 2 * place + 3,  # odd
    lambda place: place,  # axes
)
#: What is added to one of them that is a size which the program writes, so that the two are not equal by chance.
MADE_UP_SHIFT = 6
#: What stands for a value of which only the type is declared or was recorded.
STANDING: dict[str, Any] = {
    "float": 0.5,  # a rate and a probability as well
    "complex": 0.5 + 0.5j,  # neither part is 0
    "str": "",  # of a text nothing but its type is looked at
}
#: Keys of a declared dict, by their type.
DICT_KEYS: dict[type, tuple[Any, ...]] = {str: ("a", "b"), int: (0, 1)}

#: What the numbers in an array are made of that a call needs, from their places: none, a mask, no zero, and in no order.
FILLS: tuple[Callable[[Any], Any], ...] = (
    lambda places: places * 0,
    lambda places: places % 2,
    lambda places: places % 3 + 1,
    lambda places: places[::-1] % 3,
)
#: The numbers in the arrays of a call that is really made, from their places: small, and none less than 0.
FLOATS_IN_ARRAYS: Callable[[Any], Any] = lambda places: (places % 7 + 1) / 8  # weights: between 0 and 1
INTS_IN_ARRAYS: Callable[[Any], Any] = lambda places: places % 2  # labels, lengths, masks
#: Python scalars for Python's own functions: ints first, each float of another sign; a string has a type and no more.
PYTHON_SCALARS: dict[type, tuple[Any, ...]] = {
    bool: (False, True),
    int: (3, 1, 0, -2),
    float: (0.5, -3.0, 2.0),
    complex: (1j, 2 + 0j),
    str: ("a",),
}
