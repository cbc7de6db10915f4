"""What a call may pass, by what a function declares: the calls that together stand for all of them.

Each is a form for each parameter, without a choice that the program may ask for (``x: Array | None``): for each way to choose
there is one. `array` says what is known of an array that is declared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from jaxtyping_core.contracts.axes import BRACES, Axis
from jaxtyping_core.contracts.forms import ArrayForm, Constants, Form, Items, Union, Unknown
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.dims import Dim, Shape
from jaxtyping_core.domain.dtypes import DtypeSet, closed

#: Calls that stand for all of a function. A choice that would make more is left open.
MOST_CALLS = 6
#: The dtypes of random keys.
KEYS = frozenset({"key<fry>", "key<rbg>", "key<urbg>"})
RAW_KEY = frozenset({"uint32"})


def calls(parameters: Mapping[str, Form]) -> Iterator[dict[str, Form]]:
    """What is passed for each parameter, in the calls that together stand for all."""
    choices: dict[str, tuple[Form, ...]] = {}
    number = 1
    for name, form in parameters.items():
        each = tuple(_choices(form))
        if number * len(each) > MOST_CALLS:
            each = (Unknown("it is one of too many"),)
        choices[name] = each
        number *= len(each)
    for chosen in itertools.product(*choices.values()):
        yield dict(zip(choices, chosen, strict=True))


def _choices(form: Form) -> Iterator[Form]:
    """The forms one of which a value has, as far as each can be told from the others."""
    match form:
        case Union(choices=parts):
            for part in _of_one_generator(parts):
                yield from _choices(part)
        case Items(items=parts):
            yield from map(Items, itertools.product(*(list(_choices(part)) for part in parts)))
        case Constants(values=values):
            yield from (Constants((value,)) for value in values)
        case _:
            yield form


def _of_one_generator(parts: tuple[Form, ...]) -> tuple[Form, ...]:
    """A choice without all raw keys but the first, where a key may be raw: JAX takes those of one generator alone."""
    arrays = [part for part in parts if isinstance(part, ArrayForm)]
    raw = [part for part in arrays if not part.key and _dtypes(part) == RAW_KEY]
    dropped = raw[1:] if any(part.key for part in arrays) else []
    return tuple(part for part in parts if part not in dropped)


def array(form: ArrayForm) -> AbstractArray:
    """What is known of an array. It is not weak: whoever declares a dtype means one that others do not take the place of."""
    dtypes = KEYS if form.key else _dtypes(form)
    return AbstractArray(dtypes, False if form.axes is not None else None, _shape(form.axes))


def _dtypes(form: ArrayForm) -> DtypeSet:
    names = [test.names for test in form.elements]
    known = [each for each in names if each is not None]
    return closed(frozenset[str]().union(*known)) if len(known) == len(names) else None


def _shape(axes: tuple[Axis, ...] | None) -> Shape:
    if axes is None or any(axis.variadic for axis in axes):
        return None
    return tuple(map(_dim, axes))


def _dim(axis: Axis) -> Dim:
    """A size: a number, what names its name or its formula has, or unknown."""
    if axis.broadcastable or axis.by_leaf:
        return None
    if axis.sizes is not None:
        return next(iter(axis.sizes)) if len(axis.sizes) == 1 else None
    if axis.expression is not None:
        return None if BRACES.search(axis.expression) else axis.expression
    return axis.name
