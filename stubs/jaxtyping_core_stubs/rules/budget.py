"""Which rows of a function are stated: those that programs need, and no more than people can read.

An editor shows every row, and pyright evaluates each of them for a call with an argument of unknown type, and the
arguments once more for each. How real packages call a function decides (`use`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import Parameter

from . import use
from .making import Purpose
from .overload_pruning import Overload

#: The most signatures that a function has, its own among them, and those of one module below `jax.scipy`.
MOST, MOST_OF_SCIPY = 8, 4
#: The most that one number of arguments and their keywords leave open.
MOST_OPEN = 5
#: What every program begins with: a bool, an int, a float or a list of floats, each with a dtype of its own. And what
#: most of them choose values with: arrays, numbers, and the limits of a dtype.
MORE_OPEN = {
    **{f"jax.numpy.{name}": MOST for name in ("array", "asarray", "where")},
    # One of the rows is for a shape of which nothing is known, which comes to none of the others.
    **{f"jax.numpy.{name}": MOST_OPEN + 1 for name in ("zeros", "ones", "empty", "full")},
    **{f"jax.nn.initializers.{name}": MOST_OPEN + 1 for name in ("zeros", "ones")},
    "jax.lax.reshape": MOST_OPEN + 1,
}
#: Rows that an array of unknown rank must not reach.
GUARDED = (Purpose.AXIS, Purpose.RANK, Purpose.SAME)


def most(path: str) -> int:
    """The most signatures that the function called `path` has."""
    return MOST_OF_SCIPY if path.startswith("jax.scipy.") else MOST


def select(path: str, rows: Sequence[Overload], own: int) -> list[Overload]:
    """The rows that are stated beside `own` signatures of the function, in their order."""
    wanted = [row for row in rows if use.needs(path, row)]
    kept: list[Overload] = []
    for row in sorted(wanted, key=lambda row: (row.purpose.cost, -use.calls_of(path, row))):
        tried = [*kept, row]
        if len(tried) + own <= most(path) and open_rows(tried) + own <= max(
            MORE_OPEN.get(path, MOST_OPEN), own + 1
        ):
            kept = tried
    stated = _with_guards(kept, rows)
    return [row for row in rows if row in stated]


def _with_guards(kept: list[Overload], rows: Sequence[Overload]) -> list[Overload]:
    """The rows that are kept, less guards of nothing, and less what a guard that is not kept should stand before."""
    guards = [row for row in rows if row.purpose is Purpose.GUARD]
    guarded = [row for row in kept if row.purpose in GUARDED]
    lost = guards if not guarded else [] if all(guard in kept for guard in guards) else guarded
    return [row for row in kept if row not in lost]


def open_rows(rows: Iterable[Overload]) -> int:
    """The most rows that the same number of arguments and keywords leave open.

    Of those that spell out another value for an argument, no call comes to more than one.
    """
    rows = list(rows)
    return max((sum(_may_take(row, other) for row in rows) for other in rows), default=0)


def _may_take(row: Overload, other: Overload) -> bool:
    """Whether the shortest call that another row is for may be one of a row."""
    call = set(_needed(other))
    own, others = _spelled_out(row), _spelled_out(other)
    same = all(own[name] == others[name] for name in own.keys() & others.keys())
    return same and set(_needed(row)) <= call <= set(_taken(row))


def _spelled_out(row: Overload) -> dict[str, str]:
    """The arguments that have one value."""
    values = {
        parameter.name: str(parameter.annotation)
        for parameter in row.parameters
        if parameter.default is Parameter.empty
    }
    return {name: text for name, text in values.items() if text.startswith("Literal[")}


def _needed(row: Overload) -> list[str]:
    """The arguments that a call has that is for a row."""
    return [parameter.name for parameter in row.parameters if parameter.default is Parameter.empty]


def _taken(row: Overload) -> list[str]:
    """The arguments that a row takes, other than as what they are when left out."""
    return [parameter.name for parameter in row.parameters if not _is_default(parameter)]


def _is_default(parameter: Parameter) -> bool:
    return str(parameter.annotation) in (f"{parameter.default}", f"Literal[{parameter.default!r}]")
