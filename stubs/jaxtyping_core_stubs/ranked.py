"""Operators of the array class that depend on the rank, for mypy: properties that return callables.

An overloaded method with a row for each rank costs mypy as much as it has rows. The rank is found out once, by a helper
method, which gives a callable for that rank with the few rows that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import members

#: A row of a callable: the argument and the result.
Rows = list[tuple[str, str]]

UNKNOWN = "Unknown"
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
        found[str(rank)] = [*_unknown_operand(), *_known(*letters), *_large(), NUMPY]
    found[UNKNOWN] = [*_unknown_operand()[:1], ("Array[_Join[DT, _R], Any]", "Array[_R, Unk]"), NUMPY]
    return found


def _unknown_operand() -> Rows:
    return [("Array[_Sen, Any]", "Array[Unk, Unk]"), ("Array[_Join[DT, _R], _Unranked]", "Array[_R, Unk]")]


def _known(left: str, products: Iterable[tuple[str, str]]) -> Rows:
    """The dims of the left operand are those of the class, the last of them the one that is summed over."""
    names = dict(zip(left, _dims(len(left)), strict=True)) | {"-": "Any"}

    def shape(text: str, unknown: str) -> str:
        parts = [unknown if dim == "-" else names.setdefault(dim, "_I") for dim in text]
        return f"tuple[{', '.join(parts) or '()'}]"

    return [
        (f"Array[_Join[DT, _R], {shape(right, 'Any')}]", f"Array[_R, {shape(result, 'Unk')}]")
        for right, result in products
    ]


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


def definition(name: str) -> Iterator[str]:
    """The lines that define the operator `name`, and the method that finds its callable."""
    ranks = [int(rank) for rank in FAMILIES[name]() if rank != UNKNOWN]
    yield "@overload"
    yield f"def _{name}_by_rank(self: Array[DT, _Unranked]) -> _{name}_{UNKNOWN}[DT]: ..."
    for rank in ranks:
        dims = _dims(rank)
        yield "@overload"
        yield f"def _{name}_by_rank(self: {members.array(dims)}) -> _{name}_{rank}[DT, {', '.join(dims)}]: ..."
    yield "@overload"
    yield f"def _{name}_by_rank(self) -> _{name}_{UNKNOWN}[DT]: ..."
    yield "@property"
    yield f"def __{name}__(self: _Has_{name}[_T]) -> _T: ..."


def protocols() -> Iterator[str]:
    """The protocols by which the properties ask for their callables."""
    for name in FAMILIES:
        yield f"class _Has_{name}(Protocol[_T_co]):"
        yield f"    def _{name}_by_rank(self) -> _T_co: ..."


def definitions() -> Iterator[str]:
    """The classes of the callables."""
    for name, families in FAMILIES.items():
        for rank, rows in families().items():
            dims = () if rank == UNKNOWN else _dims(int(rank))
            yield f"class _{name}_{rank}(Generic[{', '.join(('DT', *dims))}]):"
            for argument, result in rows:
                if len(rows) > 1:
                    yield "    @overload"
                yield "    @staticmethod"
                yield f"    def __call__(other: {argument}, /) -> {result}: ..."
