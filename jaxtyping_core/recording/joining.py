"""What several observations of one expression have in common, in a form that is small."""

from __future__ import annotations

import functools
from dataclasses import replace

from jaxtyping_core.domain import arrays
from jaxtyping_core.recording.observed import (
    Array,
    Computed,
    Cut,
    Dict,
    Items,
    Many,
    Observed,
    Scalar,
    inside,
)

#: Longer lists are kept as one item, if their items have something in common.
LONGEST = 8
#: Values of an observation that is kept.
MOST_VALUES = 400
#: Classes that are kept as a dict is: what else they do is no matter of what is in them.
DICTS = frozenset({"collections.OrderedDict", "collections.defaultdict"})
_CUT = Cut()


def join(first: Observed, second: Observed) -> Observed:
    """What holds of both: sizes and numbers that differ are not known. A cut where they are of different kinds."""
    if first == second:
        return first
    match first, second:
        case (Computed(value), other) | (other, Computed(value)):
            # Where some of it came from outside, that is known of the run alone, too.
            return Computed(join(value, other.value if isinstance(other, Computed) else other))
        case Array(), Array() if first.library == second.library:
            known = arrays.join(first.known, second.known)
            if known.dtype is None or known.weak is None or known.shape is None:
                return _CUT
            dims = tuple(dim if isinstance(dim, int) else None for dim in known.shape)
            return replace(first, dims=dims)
        case Scalar(), Scalar() if first.kind == second.kind:
            return Scalar(first.kind)
        case Items(), Items() if _is_alike(first, second):
            return replace(first, items=_each(first.items, second.items))
        case Dict(), Dict() if (first.keys, first.type) == (second.keys, second.type):
            return replace(first, items=_each(first.items, second.items))
        case Many(), Many():
            length = first.length if first.length == second.length else None
            return Many(join(first.item, second.item), length)
        case (Many(), Items(kind="list")) | (Items(kind="list"), Many()):
            return join(_as_many(first), _as_many(second))
        case Items(kind="list"), Items(kind="list"):  # of different lengths
            return join(_as_many(first), _as_many(second))
    return _CUT


def compact(value: Observed) -> Observed:
    """An observation as it is kept: of long lists one item, and no numbers but ints. A cut for one that is too large."""
    made = _compact(value)
    return made if sum(1 for _ in inside(made)) <= MOST_VALUES else _CUT


def has_content(value: Observed) -> bool:
    """Whether an observation says something: of an array, or of a number."""
    return any(
        isinstance(part, Array) or (isinstance(part, Scalar) and part.kind not in ("None", "str"))
        for part in inside(value)
    )


def _compact(value: Observed) -> Observed:
    match value:
        case Scalar(kind="bool"):
            return Scalar("bool")
        case Computed(inner):
            return Computed(_compact(inner))
        case Items(kind="list", type=None, items=items):
            plain = replace(value, items=tuple(map(_compact, items)))
            return _as_many(plain) if len(items) > LONGEST else plain
        case Items():
            return replace(value, items=tuple(map(_compact, value.items)))
        case Dict():
            own = None if value.type in DICTS else value.type
            return replace(value, items=tuple(map(_compact, value.items)), type=own)
    return value


def _as_many(value: Observed) -> Observed:
    """A list by its items, which those that were not looked at are taken to be like."""
    if not isinstance(value, Items) or value.type is not None or not value.items:
        return value if isinstance(value, Many) else _CUT
    was_cut = isinstance(value.items[-1], Cut)
    items = value.items[:-1] if was_cut and len(value.items) > 1 else value.items
    item = functools.reduce(join, items)
    return Many(item, None if was_cut else len(items))


def _is_alike(first: Items, second: Items) -> bool:
    same = (first.kind, first.type, first.names) == (second.kind, second.type, second.names)
    return same and len(first.items) == len(second.items)


def _each(first: tuple[Observed, ...], second: tuple[Observed, ...]) -> tuple[Observed, ...]:
    return tuple(join(*pair) for pair in zip(first, second, strict=True))
