"""Objects whose entries are attributes and items at once, as configurations have them.

Overlays derive their classes from `Record`, and give them the names and the rules of a library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from . import heap
from .contents import Entries
from .unknowns import UNKNOWN, ConcretizationError, Unknown

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: What a method of a record gives: the interpreter, the record, and the arguments are passed.
RecordMethod = Callable[["Interpreter", "Record", list[Any], dict[str, Any]], Any]


#: Parts of a record that is copied.
MOST = 20_000


class Lost(Exception):
    """Nothing is known of a record any more."""


class Reference(Unknown):
    """What several entries share: whoever changes one of these entries changes all.

    Args:
        value: what it stands for.
        kind: the type that it was declared with; unknown where that is not known.
    """

    def __init__(self, value: Any, kind: Any = UNKNOWN) -> None:
        self.cell: list[Any] = heap.made([value])
        self.kind = kind

    def put(self, value: Any) -> None:
        """Let it stand for something else."""
        heap.changing(self.cell)
        self.cell[0] = value


class Record(Entries):
    """An object with entries, which its ``__dict__`` has: so they are a container of the program's, as fields of objects are.

    Names of the class are asked of the class: an entry may have the same name.
    """

    #: What its methods give, by their names.
    METHODS: ClassVar[Mapping[str, RecordMethod]] = {}
    #: Methods and properties that change nothing, each with what they give.
    TOLD: ClassVar[Mapping[str, Any]] = {}
    PROPERTIES: ClassVar[Mapping[str, Any]] = {}
    #: Other methods: they may change anything in it.
    OTHERS: ClassVar[frozenset[str]] = frozenset()
    IS_FROZEN: ClassVar[bool] = False
    #: Whether ``record["a.b"]`` is ``record["a"]["b"]``.
    HAS_PATHS: ClassVar[bool] = False
    #: Whether it may have entries that the program gives it nowhere.
    HAS_OTHERS: ClassVar[bool] = False

    @classmethod
    def stored(cls, record: Record, key: Any, value: Any) -> Any:
        """What is kept where a program assigns `value` to an entry."""
        return value

    @classmethod
    def seen(cls, record: Record, value: Any) -> Any:
        """What a program sees of an entry that holds `value`."""
        return value.cell[0] if isinstance(value, Reference) else value

    @classmethod
    def has(cls, record: Record, key: Any) -> bool | None:
        """Whether a program finds an entry there; None where that is not known."""
        return key in fields_of(record)

    @classmethod
    def ordered(cls, entries: dict[Any, Any]) -> dict[Any, Any]:
        """The entries in the order in which a program meets them."""
        return entries

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        raise ConcretizationError("==")

    def __hash__(self) -> int:
        return object.__hash__(self)


def fields_of(record: Record) -> dict[Any, Any]:
    """The entries as they are kept: a change of the dict is one of the record, which `heap.changing` must know of."""
    entries: dict[Any, Any] = object.__getattribute__(record, "__dict__")
    return entries


def is_small(value: Any) -> bool:
    """Whether a copy of a value, which has a part as often as it is met, is soon made: nothing in it is within itself."""
    waiting, count = [value], 0
    while waiting and count < MOST:
        part = waiting.pop()
        count += 1
        if isinstance(part, Record):
            waiting += fields_of(part).values()
        elif isinstance(part, dict):
            waiting += dict.values(part)
        elif isinstance(part, (list, tuple)):
            waiting += part
    return not waiting


def visible(record: Record) -> dict[Any, Any]:
    """The entries as a program sees them."""
    cls = type(record)
    return {key: cls.seen(record, value) for key, value in cls.ordered(fields_of(record)).items()}


def put(record: Record, key: Any, value: Any) -> None:
    """Assign to an entry, whether the record is frozen or not."""
    entries = fields_of(record)
    held = entries.get(key)
    kept = type(record).stored(record, key, value)
    if isinstance(held, Reference) and not isinstance(kept, Reference):
        held.put(kept)
    else:
        heap.changing(record)
        entries[key] = kept


def made(cls: type[Record], entries: Mapping[Any, Any]) -> Record:
    """A new record with these entries as they are."""
    record = cls()
    fields_of(record).update(entries)
    heap.made(record)
    return record


class RecordList(list[Any]):
    """A list in a record. To real code it is one, and to a program an object of `SEEN_AS`, which is none."""

    SEEN_AS: ClassVar[type] = object
