"""Operators of the array class that depend on the rank, for mypy: descriptors that return callables.

An overloaded method with a row for each rank costs mypy as much as it has rows. The rank is found out once, by the
descriptor, which gives a callable for that rank with the few rows that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import finders, members
from .finders import Case

#: A row of a callable: the argument and the result.
Rows = list[tuple[str, str]]

#: Type variables for dims that only the right operand has.
OTHERS = ("_I", "_J")
UNKNOWN = "Unknown"
OF_UNKNOWN = ("Array[_Sen, Any]", "Array[Unk, Unk]")
NUMPY = ("_np.ndarray[Any, Any] | StaticScalar", "Array[Unk, Unk]")


def _dims(rank: int) -> tuple[str, ...]:
    return members.DIMS[len(members.DIMS) - rank :]


# products


def _products() -> dict[str, Rows]:
    """The rows of a product by the rank of the left operand."""
    found: dict[str, Rows] = {}
    for rank in (1, 2, 3):
        own = [
            (right, result)
            for left, right, result in members.PRODUCTS
            if len(left) == rank and "-" not in left
        ]
        batches = [("-KN", "-MN")] if rank == 3 else []
        letters = ("LMK"[-rank:], [*own, *batches])
        found[str(rank)] = [*_known(*letters), *_large(), NUMPY]
    found[UNKNOWN] = [OF_UNKNOWN, ("Array[_Join[DT, _R], Any]", "Array[_R, Unk]"), NUMPY]
    return found


#: The types of the right operand and of the product, by their shapes: operands of one dtype, which mypy tells at once,
#: and of any two.
_FORMS = (
    ("_Exact[DT, {0}, Any, generic]", "Array[DT, {0}]"),
    ("Array[_Join[DT, _R], {0}]", "Array[_R, {0}]"),
)
#: Of these shapes the operands have one dtype more often than not.
_USUAL = ("KN", "K")


def _known(left: str, products: Iterable[tuple[str, str]]) -> Rows:
    """The dims of the left operand are those of the class, the last of them the one that is summed over."""
    names = dict(zip(left, _dims(len(left)), strict=True))

    def shape(text: str, unknown: str) -> str:
        others = dict(zip((dim for dim in text if dim not in names), OTHERS, strict=False)) | {"-": unknown}
        return f"tuple[{', '.join((others | names)[dim] for dim in text) or '()'}]"

    rows: Rows = [OF_UNKNOWN]
    for (operand, product), shapes in zip(_FORMS, (_USUAL, [right for right, _ in products]), strict=True):
        rows.append((operand.format("_Unranked"), product.format("Unk")))
        for right in shapes:
            result = dict(products)[right]
            rows.append((operand.format(shape(right, "Any")), product.format(shape(result, "Unk"))))
    return rows


def _large() -> Rows:
    return [
        (f"Array[_Join[DT, _R], tuple[{', '.join(['Any'] * rank)}]]", "Array[_R, Unk]") for rank in (4, 5, 6)
    ]


# indexing


def _indexing() -> dict[str, Rows]:
    """The rows of indexing by rank."""
    found: dict[str, Rows] = {}
    for rank in range(1, len(members.DIMS) + 1):
        dims = _dims(rank)
        rows = [
            (annotation, members.array([*left, *dims[taken:]]))
            for annotation, taken, left in members.INDEXES
            if taken <= rank
        ]
        found[str(rank)] = [("_bool", members.UNKNOWN), *rows, ("Any", members.UNKNOWN)]
    found[UNKNOWN] = [("Any", members.UNKNOWN)]
    return found


FAMILIES = {"matmul": _products, "getitem": _indexing}


def definition(name: str) -> list[str]:
    """The line that defines the operator `name`."""
    return [f"{name}: _Finds_{name.strip('_')}"]


def definitions() -> Iterator[str]:
    """The classes of the callables, and of the descriptors."""
    for name, families in FAMILIES.items():
        for rank, rows in families().items():
            dims = () if rank == UNKNOWN else _dims(int(rank))
            yield from finders.operator_class(f"_{name}_{rank}", ["DT", *dims], rows)
        unknown = f"_{name}_{UNKNOWN}"
        cases = [Case(finders.UNKNOWN, "", f"{unknown}[Unk]"), Case(finders.UNRANKED, ANY, f"{unknown}[_D]")]
        for number in sorted((int(rank) for rank in families() if rank != UNKNOWN), key=_ORDER.index):
            given = ", ".join(_dims(number))
            made = f"_{name}_{number}[_D, {given}]"
            cases.append(Case(finders.of_rank(number), f"Array[_D, tuple[{given}]]", made))
        yield from finders.definition(name, [*cases, Case(finders.ANY, ANY, f"{unknown}[_D]")])


#: The ranks in the order in which they are tried, the most common first.
_ORDER = (2, 1, 3, 4)
ANY = "Array[_D, Any]"
