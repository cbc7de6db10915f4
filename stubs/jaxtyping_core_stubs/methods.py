"""Methods of the array class that have many overloads, for mypy: attributes that give callables.

mypy compares an array with `self` of every overload before it looks at the arguments, and puts the arguments of the
class into each of them. So such a method is a descriptor, which finds out once what its results follow from, and gives
a callable: one without type variables for arrays of which nothing is known, one for each rank of which the overloads
tell dims, and one for all other arrays. Methods with the same overloads share their callables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import finders, members, operators, requests
from .finders import Case

#: Fewer overloads than this cost less than a descriptor.
FEWEST = 12

#: The dtypes that mypy is told of where a reduction is asked for them by a name or by a type of NumPy or Python.
COMMON = (*operators.COMMON, "bfloat16")


class Row(NamedTuple):
    """An overload of a method: the dtype and the shape of the array, the other parameters, and the result."""

    dtype: str
    shape: str
    parameters: str
    result: str


class Callables:
    """The callables of all methods, each with the names of the methods that share it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._names: dict[tuple[object, ...], str] = {}  # the overloads -> what they are called at first
        self._shared: dict[str, list[str]] = {}

    def definitions(self) -> list[str]:
        """The classes of the callables and of the descriptors."""
        names = {first: f"_{'_or_'.join(methods)}" for first, methods in self._shared.items()}
        return [_FIRST.sub(lambda found: names[found[1]], line) for line in self._lines]

    def attribute(self, name: str, rows: Sequence[Row], plain: Row) -> list[str]:
        """The lines that define the method `name`, of which `plain` takes all other calls; none if it needs none."""
        kept, dtype = _told(rows)
        if len(rows) < FEWEST or dtype is None:
            return []
        of_dtype = ["DT"] if "_R" in dtype else []
        solved = ["_R"] * len(of_dtype)
        general = [*(row for row in kept if not _tells_dims(row)), plain]
        unknown = self._callable(name, "_of_unknown", [], (_named(row, "Unk", ["Unk"]) for row in general))
        every = (_named(row, "DT", ["Sh"]) for row in general)
        other = self._callable(name, "_of_any_rank", [*of_dtype, "Sh"], every)
        cases = [
            Case(finders.UNKNOWN, "", unknown),
            Case(finders.UNRANKED, f"Array[{dtype}, Any]", _applied(other, [*solved, "Unk"])),
        ]
        for rank in _ranks(kept):
            dims = DIMS[:rank]
            own = (_named(row, "DT", dims) for row in [*_of_rank(kept, rank), plain])
            made = self._callable(name, f"_{rank}", [*of_dtype, *dims], own)
            names = members.DIMS[:rank]
            array = f"Array[{dtype}, tuple[{', '.join(names)}]]"
            cases.append(Case(finders.of_rank(rank), array, _applied(made, [*solved, *names])))
        cases.append(Case(finders.ANY, f"Array[{dtype}, _S]", _applied(other, [*solved, "_S"])))
        self._lines += finders.definition(name, cases)
        return [f"{name}: _Finds_{name}"]

    def _callable(self, method: str, kind: str, variables: Sequence[str], rows: Iterable[Row]) -> str:
        """The class with these overloads and type variables, for a kind of arrays."""
        overloads = list(dict.fromkeys((row.parameters, row.result) for row in rows))
        name = f"<{method}>{kind}"
        first = self._names.setdefault((*variables, *overloads), name)
        if first == name:
            self._lines += finders.callable_class(name, variables, overloads)
        methods = self._shared.setdefault(first.partition(">")[0][1:], [])
        if method not in methods:
            methods.append(method)
        return first


#: The name of the method that a callable was made for first.
_FIRST = re.compile(r"<(\w+)>")


def _applied(name: str, arguments: Sequence[str]) -> str:
    return f"{name}[{', '.join(arguments)}]"


def _told(rows: Sequence[Row]) -> tuple[list[Row], str | None]:
    """The overloads that mypy is told, and the dtype that they are for; None where that is not one."""
    rows = [row for row in rows if not _is_rare(row)]
    tables = sorted({row.dtype for row in rows if "_R" in row.dtype}, key=len)
    dtype = tables[-1] if tables else "Any"  # of the dtype itself and a table of it, the table
    kept = [row for row in rows if row.dtype in ("Any", dtype)]
    apart = all(_is_apart(row, kept) for row in rows if row not in kept)
    # Of the other rows for one rank mypy is told as little as of those for an unknown one.
    told = [row for row in kept if _tells_dims(row) or not row.shape.startswith("tuple[")]
    return told, dtype if apart else None


def _is_rare(row: Row) -> bool:
    """Whether an overload is for strings, which mypy does not tell apart, or for a dtype hardly asked for by name.

    Of methods that want a dtype first mypy is told them all.
    """
    if row.result == requests.MISSPELT.result:
        return True
    _, optional, asked = row.parameters.partition(", dtype: ")
    return bool(optional) and any(asked.startswith(f"{one}, ") for one in _rare())


def _rare() -> list[str]:
    rare = (*(requests.by_name(node) for node in requests.NAMED if node not in COMMON), requests.UNCLEAR)
    return [spelled(request.annotation) for request in rare]


def spelled(text: str) -> str:
    """The text in the module of the array class, where no function hides the builtin types."""
    return re.sub(r"\b_complex\b", "complex", text)


def _is_apart(row: Row, kept: list[Row]) -> bool:
    """Whether an overload requires a literal that none of those that are kept take."""
    required = re.findall(r"\b(\w+: Literal\[)(\w+\])(?! =)", row.parameters)
    return any(
        all(
            start in one.parameters and f"{start}{value}" not in one.parameters
            for one in kept
            if _has(one, start)
        )
        for start, value in required
    )


def _has(row: Row, start: str) -> bool:
    return bool(re.search(rf"\b{start.partition(':')[0]}: ", row.parameters))


# shapes


def _tells_dims(row: Row) -> bool:
    """Whether an overload is for one rank, and its result has some of the dims."""
    return row.shape.startswith("tuple[") and bool(re.search(r"tuple\[[^\[\]]*\b_[K-N]\b", row.result))


def _ranks(rows: list[Row]) -> list[int]:
    """The ranks of which dims are told."""
    return sorted({len(row.shape.split(", ")) for row in rows if _tells_dims(row)})


def _of_rank(rows: list[Row], rank: int) -> list[Row]:
    """The overloads for arrays of a rank: those for an unknown one come after those for theirs."""
    own = [row for row in rows if not _tells_dims(row) or len(row.shape.split(", ")) == rank]
    unknown = [row for row in own if row.shape == "_Unranked"]
    last = max(place for place, row in enumerate(own) if _tells_dims(row)) + 1
    before = [row for row in own[:last] if row not in unknown]
    return [*before, *unknown, *(row for row in own[last:] if row not in unknown)]


#: The type variables of the callables for the dims of an array; overloads have others.
DIMS = [f"_Dim{place}" for place in range(4)]


def _named(row: Row, dtype: str, shape: list[str]) -> Row:
    """The overload with other names for the dtype and for the shape, or the dims, of the array."""
    names = {"_R": dtype} if "_R" in row.dtype else {}
    if row.shape.startswith("tuple["):
        names |= dict(zip(row.shape.removeprefix("tuple[").removesuffix("]").split(", "), shape, strict=True))
    elif row.shape == "_S":
        names["_S"] = f"tuple[{', '.join(shape)}]" if shape[0] in DIMS else shape[0]

    def rename(text: str) -> str:
        return re.sub(r"\b_[A-Z]\b", lambda found: names.get(found[0], found[0]), text)

    return row._replace(parameters=rename(row.parameters), result=rename(row.result))
