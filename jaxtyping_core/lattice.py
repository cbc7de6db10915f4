"""Partial orders of dtypes and their joins, as plain strings.

A node is the name of a dtype or of a weak type (see `jaxtyping_core.dtypes`). An edge leads from a node
to a node directly above it, to which it can be converted implicitly. Nothing here imports NumPy or JAX.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from jaxtyping_core import dtypes
from jaxtyping_core.errors import LatticeError, unknown

#: Every node there can be.
NODES: tuple[str, ...] = (*(name for name, row in dtypes.DTYPES.items() if row.promotes), *dtypes.WEAK)


class PartialOrder:
    """Dtypes ordered by implicit conversion.

    Args:
        edges: each node with the nodes directly above it. A node that has none above it needs no entry.
        name: the name of the order in error messages.

    Raises:
        LatticeError: a node is not the name of a dtype or weak type, or the edges form a cycle.
    """

    def __init__(self, edges: Mapping[str, Iterable[str]], *, name: str = "custom") -> None:
        if not isinstance(edges, Mapping):
            raise LatticeError(
                f"lattice {name!r}: expected a dict of nodes with lists of the nodes above, got {edges!r}; "
                'write {"int8": ["int16"], ...}'
            )
        for node, higher in edges.items():
            if isinstance(higher, str) or not isinstance(higher, Iterable):
                raise LatticeError(
                    f"lattice {name!r}: expected a list of the nodes above {node!r}, got {higher!r}; "
                    f"write {{{node!r}: [{higher!r}]}}"
                )
        above = {node: tuple(higher) for node, higher in edges.items()}
        for node in dict.fromkeys([*above, *itertools.chain.from_iterable(above.values())]):
            if not isinstance(node, str):
                raise LatticeError(f"lattice {name!r}: expected names such as 'int8', got {node!r}")
            if node not in NODES:
                raise LatticeError(f"lattice {name!r}: {unknown('node', node, NODES)}")
        self.name = name
        #: The nodes with the nodes directly above them, in the order of `NODES`.
        self.edges: dict[str, tuple[str, ...]] = {
            node: above.get(node, ())
            for node in NODES
            if node in above or any(node in up for up in above.values())
        }
        #: The nodes with everything at or above them.
        self.upper_bounds: dict[str, frozenset[str]] = _close(self.edges, name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<{len(self.edges)} nodes>, name={self.name!r})"

    def __contains__(self, node: object) -> bool:
        return node in self.edges

    # The join of a set N of nodes is its least upper bound. Write m >= n for "m is at or above n":
    #   UB(n)  = {m | m >= n}                            the upper bounds of a node,
    #   CUB(N) = {c | c in UB(n) for every n in N}       the common ones,
    #   LUB(N) = {c in CUB(N) | d >= c for every d in CUB(N)}
    #          = {c in CUB(N) | CUB(N) is within UB(c)}  since d >= c says that d is in UB(c).
    # LUB(N) has at most one element: two of them would lie above each other, which is a cycle.
    # It is empty where CUB(N) is, or where CUB(N) has several minimal elements: then, and only then,
    # the join is ambiguous. If no pair is ambiguous, joining pair by pair gives LUB(N) in any order,
    # because CUB({a, b}) = UB(a v b) and so CUB({a, b, c}) = CUB({a v b, c}).

    def candidates(self, *nodes: str) -> tuple[str, ...]:
        """The minimal common upper bounds of `nodes`: none, one (the join), or several (an ambiguous join)."""
        common = frozenset.intersection(*(self.upper_bounds[node] for node in nodes))
        return tuple(
            c for c in self.edges if c in common and not any(c in self.upper_bounds[d] for d in common - {c})
        )

    def join(self, *nodes: str) -> str | None:
        """The least upper bound of `nodes`; None if there is none, or if a node is not in the order.

        Raises:
            ValueError: there are no nodes.
        """
        if not nodes:
            raise ValueError("join needs at least one node, got none")
        candidates = self.candidates(*nodes) if all(node in self for node in nodes) else ()
        return candidates[0] if len(candidates) == 1 else None


class Lattice(PartialOrder):
    """Your own promotion system: a partial order without ambiguous joins.

    You can pass it wherever a promotion system is accepted. Two nodes can have no upper bound; then
    promoting them is an error. To promote Python scalars and weak arrays, add the nodes "weak_int",
    "weak_float" and "weak_complex".

    Example:
        >>> halves = Lattice({"int8": ["float16"], "float16": ["float32"]})
        >>> halves.join("int8", "float32")
        'float32'

    Raises:
        LatticeError: as for `PartialOrder`, or two nodes have several minimal upper bounds.
    """

    def __init__(self, edges: Mapping[str, Iterable[str]], *, name: str = "custom") -> None:
        super().__init__(edges, name=name)
        # CUB({a, b}) is UB(c) exactly where c is the join: to look that up is faster than to ask for the candidates.
        bounds = set(self.upper_bounds.values())
        for a, b in itertools.combinations(self.edges, 2):
            common = self.upper_bounds[a] & self.upper_bounds[b]
            if common and common not in bounds:
                raise LatticeError(
                    f"lattice {name!r}: the join of {a!r} and {b!r} is ambiguous, its candidates are "
                    f"{', '.join(map(repr, self.candidates(a, b)))}; order them, or remove a path to all but one"
                )


class Casts(PartialOrder):
    """A partial order with exceptions, for libraries whose promotion is a table rather than a lattice.

    Args:
        edges, name: as for `PartialOrder`.
        refused: pairs without a join although they have upper bounds.
        prefer: kinds, most preferred first; they decide between several candidates for a join.
            Without them an ambiguous pair has no join.
        loops: nodes that are tried in turn where there would be no join: the first one at or above all operands.
    """

    def __init__(
        self,
        edges: Mapping[str, Iterable[str]],
        *,
        name: str,
        refused: Iterable[frozenset[str]] = (),
        prefer: str = "",
        loops: Sequence[str] = (),
    ) -> None:
        super().__init__(edges, name=name)
        self.loops = tuple(loops)
        self.refused = frozenset(refused)
        self.prefer = prefer

    def candidates(self, *nodes: str) -> tuple[str, ...]:
        """As for `PartialOrder`, after the exceptions."""
        refused = any(frozenset(pair) in self.refused for pair in itertools.combinations(nodes, 2))
        candidates = () if refused else super().candidates(*nodes)
        if not candidates:
            return tuple(loop for loop in self.loops if all(loop in self.upper_bounds[n] for n in nodes))[:1]
        return tuple(sorted(candidates, key=self._preference)[:1]) if self.prefer else candidates

    def _preference(self, node: str) -> int:
        return self.prefer.index(dtypes.kind(node))


def _close(edges: Mapping[str, tuple[str, ...]], name: str) -> dict[str, frozenset[str]]:
    """The upper bounds of every node, found depth first; LatticeError on a cycle."""
    bounds: dict[str, frozenset[str]] = {}

    def visit(node: str, path: tuple[str, ...]) -> frozenset[str]:
        if node in path:
            cycle = " -> ".join((*path[path.index(node) :], node))
            raise LatticeError(f"lattice {name!r}: {cycle} is a cycle; remove one of these edges")
        if node not in bounds:
            bounds[node] = frozenset({node}).union(*(visit(up, (*path, node)) for up in edges[node]))
        return bounds[node]

    for node in edges:
        visit(node, ())
    return bounds
