"""Tables of two dtypes as methods of the dtype classes: double dispatch, written once for every pair.

``x + y`` with arrays of dtypes ``A`` and ``B`` is typed by two method look-ups that every type checker does exactly:
``A._join(B())`` names the method ``_join_A`` of its argument, and ``B._join_A()`` has the result for its type. Abstract
classes take part: what all the dtypes below one have in common.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from jaxtyping_core import dtypes

from . import tables

SELF = "Self"


@functools.cache
def members(cls: str) -> frozenset[str]:
    """The dtypes and weak types below a class, or the dtype itself."""
    if cls not in dtypes.ABSTRACT:
        return frozenset({cls})
    return frozenset(node for node in tables.nodes() if cls in parents(node))


def parents(node: str) -> tuple[str, ...]:
    """The abstract classes above a dtype, weak type or abstract class, nearest first."""
    if node in dtypes.WEAK:
        node = dtypes.default_dtype(dtypes.WEAK[node], x64=False)
    return dtypes.ancestors(node)


def classes() -> tuple[str, ...]:
    """The abstract classes, the dtypes and the weak types."""
    return (*dtypes.ABSTRACT, *tables.nodes())


def cover(results: set[str]) -> str | None:
    """The most specific class that holds all of `results` (class names of dtypes; `DefaultInt` and the like)."""
    if len(results) == 1:
        return next(iter(results))
    above = [cls for cls in dtypes.ABSTRACT if all(cls in _ancestry(result) for result in results)]
    return max(above, key=lambda cls: len(dtypes.ancestors(cls)), default=None)


def _ancestry(name: str) -> tuple[str, ...]:
    defaults = {alias: pair[0] for pair, alias in tables.DEFAULTS.items()}
    name = {"bool_": "bool"}.get(name, defaults.get(name, name))
    return parents(name) if name not in dtypes.ABSTRACT else (name, *parents(name))


@functools.cache
def cell(table: str, first: str, second: str) -> str | None:
    """The result for two classes as an annotation; None where JAX refuses every pair of dtypes below them."""
    pairs = tables.binary(table)
    results = {
        spelled
        for a in members(first)
        for b in members(second)
        if (spelled := tables.spell(pairs[a, b])) is not None
    }
    if second in dtypes.WEAK and first in dtypes.ABSTRACT and _keeps(table, first, second):
        return SELF
    return cover(results) if results else None


def _keeps(table: str, first: str, second: str) -> bool:
    """Whether every dtype below `first` is also the result."""
    pairs = tables.binary(table)
    return all(
        pairs[a, second] is None or tables.spell(pairs[a, second]) == tables.class_name(a)
        for a in members(first)
    )


def methods(table: str, node: str) -> Iterator[str]:
    """The methods of the class of `node` for a table: its results as the first argument, and the dispatch."""
    parent = None if node in dtypes.WEAK else next(iter(parents(node)), None)
    for other in classes():
        result = cell(table, node, other)
        if parent and result == cell(table, parent, other):
            continue  # inherited
        name = f"_{table}_{tables.class_name(other)}"
        yield f"    def {name}(self) -> {result}: ..." if result else f"    {name}: None"
    yield f"    def _{table}(self, other: _{table.capitalize()}_{tables.class_name(node)}[_R], /) -> _R: ..."


def protocols(table: str) -> Iterator[str]:
    """The protocols of a table: one for each class as the first argument, and the two-argument one."""
    for node in classes():
        name = tables.class_name(node)
        yield f"class _{table.capitalize()}_{name}(Protocol[_R_co]):"
        yield f"    def _{table}_{name}(self) -> _R_co: ..."
    yield f"class _{table.capitalize()}(Protocol[_O_contra, _R_co]):"
    yield f"    def _{table}(self, other: _O_contra, /) -> _R_co: ..."


def unary_cell(pairs: Mapping[str, tables.Pair], cls: str) -> str | None:
    """The result of a table of one dtype for a class as an annotation; None where JAX refuses."""
    accepted = [node for node in members(cls) if node in pairs]
    results = {tables.spell(pairs[node]) or OPEN for node in accepted}
    if OPEN in results:
        return OPEN
    if cls in dtypes.ABSTRACT and _keeps_each(pairs, accepted):
        return SELF
    return cover(results) if results else None


def _keeps_each(pairs: Mapping[str, tables.Pair], nodes: Sequence[str]) -> bool:
    """Whether each dtype is also the result.

    Weak ones may become the default dtype of their kind: a type variable stands for a dtype that is declared, and where one is
    declared, a weak array counts as one of the default dtype.
    """
    strong = [node for node in nodes if node not in dtypes.WEAK]
    kept = all(tables.spell(pairs[node]) == tables.class_name(node) for node in strong)
    names = {tables.class_name(node) for node in nodes} | set(tables.DEFAULTS.values())
    return bool(strong) and kept and all(tables.spell(pairs[node]) in names for node in nodes)


#: The result where nothing is known of it.
OPEN = "Any"


def unary_method(table: str, results: Mapping[str, tables.Pair], node: str) -> Iterator[str]:
    """The method of the class of `node` for a table of one dtype, unless it is inherited."""
    result = unary_cell(results, node)
    parent = None if node in dtypes.WEAK else next(iter(parents(node)), None)
    inherited = None if parent is None else unary_cell(results, parent)
    if inherited == SELF and result == tables.class_name(node):
        return  # a type variable of several dtypes keeps the one that it is
    if parent is None or result != inherited:
        yield f"    def _{table}(self) -> {result}: ..." if result else f"    _{table}: None"
