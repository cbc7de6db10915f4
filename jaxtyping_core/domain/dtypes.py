"""Sets of dtypes: a few of them, all of one abstract class such as "floating", or None for any dtype.

The sets that occur are closed under intersection, and a longer union becomes the smallest class that contains it. So joins are
least upper bounds, and no set can grow more often than `MOST` and the classes above it allow.
"""

from __future__ import annotations

import functools

from ..dtypes import ABSTRACT, DTYPES, ancestors

#: The dtypes that an array may have. None for any.
DtypeSet = frozenset[str] | None

#: Dtypes of a set that is not a class.
MOST = 4
NONE: frozenset[str] = frozenset()


@functools.cache
def classes() -> dict[frozenset[str], str]:
    """The abstract classes below "generic" by their dtypes, smallest first."""
    members = {
        name: frozenset(dtype for dtype in DTYPES if name in ancestors(dtype))
        for name, parent in ABSTRACT.items()
        if parent is not None
    }
    return {members[name]: name for name in sorted(members, key=lambda name: len(members[name]))}


def of_class(name: str) -> DtypeSet:
    """The dtypes of an abstract class."""
    return next((dtypes for dtypes, known in classes().items() if known == name), None)


def class_of(dtypes: DtypeSet) -> str | None:
    """The name of the abstract class whose dtypes these are. None if there is none."""
    return None if dtypes is None else classes().get(dtypes)


def smallest_class(dtypes: DtypeSet) -> str | None:
    """The smallest abstract class below "generic" that has all of these dtypes. None if there is none."""
    return next(
        (name for members, name in classes().items() if dtypes is not None and dtypes <= members), None
    )


def closed(dtypes: frozenset[str]) -> DtypeSet:
    """The smallest set that occurs and contains these dtypes."""
    return dtypes if len(dtypes) <= MOST else _class_with(dtypes)


def _class_with(dtypes: frozenset[str]) -> DtypeSet:
    return next((members for members in classes() if dtypes <= members), None)


def leq(a: DtypeSet, b: DtypeSet) -> bool:
    """Whether all dtypes of `a` are in `b`."""
    return b is None or (a is not None and a <= b)


def join(a: DtypeSet, b: DtypeSet) -> DtypeSet:
    """The smallest set that contains both."""
    return None if a is None or b is None else closed(a | b)


def meet(a: DtypeSet, b: DtypeSet) -> DtypeSet:
    """The dtypes in both; `NONE` if there are none."""
    if a is None or b is None:
        return b if a is None else a
    return a & b


def widen(old: DtypeSet, new: DtypeSet) -> DtypeSet:
    """Contains both. A set that grows a second time becomes a class."""
    if old is None or new is None:
        return None
    if new <= old or len(old) <= 1:
        return closed(old | new)
    return _class_with(old | new)
