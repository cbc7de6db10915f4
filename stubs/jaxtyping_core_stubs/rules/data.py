"""Rows for Python numbers, and for nested lists of them, instead of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .dim_expressions import UNKNOWN
from .dims import Dims, shape
from .function_rules import Study
from .grouping import Choice, Group
from .making import Purpose, Row, make

#: The kinds of numbers that have a row, each with an annotation that takes no other but those before it.
KINDS = {"bool": "_bool", "int": "int", "float": "_PyFloat"}
#: The lists that have a row, with their ranks.
LISTS = {"Sequence[_PyFloat]": 1, "Sequence[Sequence[_PyFloat]]": 2}


def rows(study: Study, groups: Sequence[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a Python number instead of the only array, and for a list of them, for calls of the first rule."""
    if len(study.probe.arrays) != 1 or study.probe.arrays[0].role != "array":
        return
    for group, dims in groups[:1]:
        if dims.operands == dims.result[:1] == ("_S",) and _are_dtypes(study):
            for annotation, results in _told(study):
                yield _row(study, group, Purpose.SCALAR, annotation, shape(()), list(results))
            for annotation, rank in LISTS.items():
                if (known := study.data.get(annotation.replace("_PyFloat", "float"))) is not None:
                    yield _row(study, group, Purpose.DATA, annotation, shape([UNKNOWN] * rank), [known[0]])


def _are_dtypes(study: Study) -> bool:
    """Whether all numbers give arrays of dtypes that have a class: keys of random numbers have none."""
    return all(node.isidentifier() for results in study.scalars.values() for node in results)


def _row(
    study: Study, group: Group, purpose: Purpose, annotation: str, shape: str, results: list[str]
) -> Row:
    """The row for one kind of data."""
    dims = Dims(("Any",), (shape,) * len(results))
    row = make(study, purpose, {**study.free, **group.choices}, dims, results)
    return row._replace(choices={**row.choices, study.probe.arrays[0].name: Choice((annotation,), False)})


def _told(study: Study) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The annotations of numbers that give the same, with what they give.

    A row for ints needs one for bools before it, which are ints to Python: where ints differ from floats, these alone have
    one, but for functions that make arrays of data.
    """
    known = {kind: study.scalars[kind] for kind in KINDS if kind in study.scalars}
    if not study.data and "int" in known and known["int"] != known.get("float"):
        known = {"float": known["float"]} if "float" in known else {}
    for results in dict.fromkeys(known.values()):
        alike = [kind for kind in known if known[kind] == results]
        yield " | ".join(KINDS[kind] for kind in alike if not (kind == "bool" and "int" in alike)), results
