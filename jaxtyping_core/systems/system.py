"""What a promotion system is: an order of dtypes, and one of three rules.

An operand is a node, or a node followed by "[]" for an array of rank 0. Only a system whose results
depend on the rank (`System.ranked`) sees that mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import PartialOrder

#: Marks an operand of rank 0.
RANK_0 = "[]"

#: From the operands to the node of the result; None where they have no common dtype.
Rule = Callable[[PartialOrder, Sequence[str]], str | None]

_CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def join_all(order: PartialOrder, operands: Sequence[str]) -> str | None:
    """The least upper bound: all there is to a lattice."""
    return order.join(*operands)


@dataclass(frozen=True)
class ByCategory:
    """Within a category, arrays of rank 0 take priority over Python scalars, and other arrays over both.

    The categories are bool < integer < floating < complex. Operands of equal priority are joined. An
    operand of lower priority changes the result only if its category is higher.
    """

    scalars: Mapping[str, str]  # weak type -> dtype
    #: Dtypes that decide for themselves what a Python scalar becomes: the first of `tries` (by kind)
    #: that they have a join with.
    choosy: frozenset[str] = frozenset()
    tries: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __call__(self, order: PartialOrder, operands: Sequence[str]) -> str | None:
        result: str | None = None
        for group in self._standings(operands):
            joined = order.join(*group)
            if joined is None:
                return None
            result = joined if result is None else self._combine(order, joined, result)
            if result is None:
                return None
        return result

    def _standings(self, operands: Sequence[str]) -> Iterator[list[str]]:
        """The operands by standing, lowest first."""
        weak = [self.scalars[node] for node in operands if node in dtypes.WEAK]
        rank_0 = [node.removesuffix(RANK_0) for node in operands if node.endswith(RANK_0)]
        arrays = [node for node in operands if node not in dtypes.WEAK and not node.endswith(RANK_0)]
        return filter(None, (weak, rank_0, arrays))

    def _combine(self, order: PartialOrder, higher: str, lower: str) -> str | None:
        above, below = dtypes.kind(higher), dtypes.kind(lower)
        if higher in self.choosy:
            return next(filter(None, (order.join(higher, other) for other in self.tries[below])), None)
        if _CATEGORY[below] <= _CATEGORY[above]:
            return higher
        if above == "f":  # the complex dtype of the same precision
            return order.join(higher, "complex64")
        return lower if below == "c" else order.join(higher, lower)


@dataclass(frozen=True)
class FirstDecides:
    """All operands must have the dtype of the first one. Python scalars of a suitable kind are converted to it."""

    scalars: Mapping[str, str]  # weak type -> dtype, for a Python scalar that comes first
    accepts: Mapping[str, str]  # kind of the first operand -> kinds of Python scalar that fit

    def __call__(self, order: PartialOrder, operands: Sequence[str]) -> str | None:
        first = self.scalars.get(operands[0], operands[0])
        fits = self.accepts[dtypes.kind(first)]
        strong = [node for node in operands[1:] if dtypes.WEAK.get(node, "?") not in fits]
        return order.join(first, *(self.scalars.get(node, node) for node in strong))


@dataclass(frozen=True, eq=False)
class System:
    """A promotion system.

    Attributes:
        name: the name that users pass.
        source: where its rules are documented.
        orders: the order of dtypes, with 64-bit types off (False) and on (True).
        rule: how operands are combined in that order.
        follows_x64: whether ``jax_enable_x64`` decides which dtypes exist, as in JAX.
        ranked: whether the result depends on which operands have rank 0.
    """

    name: str
    source: str
    orders: Mapping[bool, PartialOrder]
    rule: Rule = join_all
    follows_x64: bool = False
    ranked: bool = False

    def promote(self, operands: Sequence[str], x64: bool) -> str | None:
        """The node of the result; None where the operands have no common dtype."""
        prepared = [self._prepare(operand, x64) for operand in operands]
        if not all(operand.removesuffix(RANK_0) in self for operand in prepared):
            return None
        result = self.rule(self.orders[x64], prepared)
        return None if result is None else self._canonical(result, x64)

    def __contains__(self, node: object) -> bool:
        return node in self.orders[True] or (node in dtypes.WEAK and self.rule is not join_all)

    def _prepare(self, operand: str, x64: bool) -> str:
        node = operand.removesuffix(RANK_0)
        mark = RANK_0 if self.ranked and node != operand and node not in dtypes.WEAK else ""
        return self._canonical(node, x64) + mark

    def _canonical(self, node: str, x64: bool) -> str:
        return dtypes.canonical(node, x64 or not self.follows_x64)
