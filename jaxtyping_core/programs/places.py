"""What is known where a program assigns to a name, or returns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jaxtyping_core.domain import arrays
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.domain.dims import Shape
from jaxtyping_core.domain.formatting import spell

#: The name of a place that is a ``return``, and of an expression.
RETURN, EXPRESSION = "return", "expression"
#: Which place: its file, line, column and name.
Spot = tuple[str, int, int, str]


#: Different arrays of one place that are kept.
MOST_SEEN = 16
#: The fields of a place in JSON.
FIELDS = ("file", "line", "column", "name", "dtype", "weak", "shape", "calls")


@dataclass(frozen=True, slots=True)
class Place:
    """An assignment to a name, or a ``return``, and what holds of its value in every run.

    `line` counts from 1 and `column` from 0, of the name or of the returned value, as in `ast`; `calls` is the number
    of evaluated calls that agree; `seen` is what was known in some of them where they do not. With `so_far`, the evaluation
    did not come to its end, and another call or another round of a loop may say otherwise. `by_default` is what more is known
    of a run without options on its command line. `observed` is what is known of a recorded run, where that rests on what the run got from
    outside of the program.
    """

    file: str
    line: int
    column: int
    name: str
    known: AbstractArray = arrays.TOP
    calls: int = 0
    seen: tuple[AbstractArray, ...] = ()
    so_far: bool = False
    by_default: AbstractArray | None = None
    observed: AbstractArray | None = None

    @classmethod
    def of(
        cls,
        file: str,
        line: int,
        column: int,
        name: str,
        dtype: str | None = None,
        weak: bool | None = None,
        shape: Shape = None,
        calls: int = 0,
    ) -> Place:
        """A place of which a dtype, whether it is weak and a shape are known, as far as they are."""
        return cls(file, line, column, name, AbstractArray.of(dtype, weak, shape), calls)

    @property
    def dtype(self) -> str | None:
        """The dtype, if only one is possible."""
        return self.known.dtype

    @property
    def weak(self) -> bool | None:
        """Whether the dtype is weak, if that is known."""
        return self.known.weak

    @property
    def shape(self) -> Shape:
        """The sizes, if the rank is known."""
        return self.known.shape

    @property
    def spot(self) -> Spot:
        """Which place it is."""
        return self.file, self.line, self.column, self.name

    @property
    def is_open(self) -> bool:
        """Whether nothing is known."""
        return self.dtype is None and self.shape is None

    @property
    def shown(self) -> AbstractArray:
        """What is shown of it: what is known of all runs, or of the recorded one."""
        return self.known if self.observed is None else self.observed

    @property
    def value(self) -> str:
        """What is known as messages spell it, ``float32[B, 3]``, after a word on a dtype that is weak."""
        return spell(self.known)

    def as_json(self) -> dict[str, Any]:
        """The place as JSON holds it."""
        return {
            **{name: getattr(self, name) for name in FIELDS},
            "shape": None if self.shape is None else [*self.shape],
            **({"so_far": True} if self.so_far else {}),
            **({"by_default": _as_json(self.by_default)} if self.by_default else {}),
            **({"observed": _as_json(self.observed)} if self.observed else {}),
        }


def _as_json(known: AbstractArray) -> dict[str, Any]:
    shape = None if known.shape is None else [*known.shape]
    return {"dtype": known.dtype, "weak": known.weak, "shape": shape}


def from_json(data: Mapping[str, Any]) -> Place:
    """The place that `Place.as_json` made `data` of.

    Raises:
        LookupError, TypeError, ValueError: it made no such thing.
    """
    shape = data["shape"]
    fields = {**data, "shape": None if shape is None else tuple(shape)}
    return replace(Place.of(**{name: fields[name] for name in FIELDS}), so_far=bool(data.get("so_far")))


def join(places: Iterable[Place]) -> list[Place]:
    """Each place once, in the order of the program, with what holds in all evaluations that came by it."""
    joined: dict[Spot, Place] = {}
    for place in places:
        key = place.spot
        joined[key] = _common(joined[key], place) if key in joined else place
    return [joined[key] for key in sorted(joined)]


def _common(first: Place, second: Place) -> Place:
    """What two evaluations of one place agree on."""
    known = arrays.join(first.known, second.known)
    return replace(first, known=known, calls=first.calls + second.calls, seen=_each(first, second))


def _each(*of_place: Place) -> tuple[AbstractArray, ...]:
    """What was known of a place in each evaluation, if that differs."""
    each = dict.fromkeys(known for place in of_place for known in (*place.seen, place.known))
    return tuple(each)[:MOST_SEEN] if len(each) > 1 else ()
