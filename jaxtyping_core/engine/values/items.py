"""The items of an iterable."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .joins import join_all
from .unknowns import UNKNOWN, AbstractSequence


class Items:
    """The items of an iterable, one by one if `listed` has them, and otherwise what they have in common.

    Attributes:
        listed: the items; None if their number is not known.
    """

    __slots__ = ("_many", "listed")

    def __init__(self, listed: list[Any] | None, many: AbstractSequence | None = None) -> None:
        self.listed, self._many = listed, many

    @classmethod
    def of_any_number(cls, many: AbstractSequence) -> Items:
        """Items whose number is not known."""
        return cls(None, many)

    @property
    def value(self) -> Any:
        """The items as a value of the program: a list of them, or the sequence of unknown length."""
        return self.listed if self._many is None else self._many

    @property
    def item(self) -> Any:
        """What all items have in common."""
        if self._many is not None:
            return self._many.item
        return join_all(self.listed) if self.listed else UNKNOWN

    @property
    def some(self) -> bool:
        """Whether there is surely an item."""
        return bool(self.listed) if self._many is None else self._many.some

    @property
    def since(self) -> int:
        """`Many.since` of the items; 0 for those that are listed."""
        return 0 if self._many is None else self._many.since

    def to_join(self) -> list[Any]:
        """Values that describe all items."""
        return [self.item] if self.listed is None else self.listed

    def as_many(self, some: bool | None = None) -> AbstractSequence:
        """A sequence of any number of such items."""
        return AbstractSequence(self.item, self.some if some is None else some, since=self.since)


def all_listed(columns: Iterable[Items]) -> list[list[Any]] | None:
    """The items of several iterables; None if the number of some is not known."""
    listed = [column.listed for column in columns]
    return None if None in listed else [column for column in listed if column is not None]
