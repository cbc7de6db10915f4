"""Which sizes of a function are one, whatever they are: found by walks through its body with other sizes.

Two sizes that were the same in every call may be so by chance: a batch of 32 rows and 32 hidden units. So each is given another
value alone, with its equals in all combinations, and the smallest set with which the body still works is one dim. How the
sizes of the result follow tells their names.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jaxtyping_core.annotating.declared import NO_CLASSES, Classes, declared
from jaxtyping_core.annotating.dim_positions import is_int, slots_of, written_places
from jaxtyping_core.annotating.dims import named, product, total, value_of
from jaxtyping_core.annotating.observed_types import RETURN, Agreement, Place, Plain, places
from jaxtyping_core.annotating.source import Definition, Source
from jaxtyping_core.annotating.walking import Given, Slot, Walks
from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.recording.observed import Call
from jaxtyping_core.sampling.proof import Evidence, Proof, proven, varies
from jaxtyping_core.sampling.tables.limits import (
    MOST_CALLS_WALKED,
    MOST_LIKE_OBJECTS,
    MOST_PAIRED_UNITS,
    MOST_TREE_SLOTS,
    MOST_WALKS,
)
from jaxtyping_core.sampling.tables.sizes import FACTORS, unlike

#: Sizes that are changed together, since they are not told apart: one of an array, or all equal ones of a tree.
Unit = tuple[Slot, ...]


@dataclass(slots=True)
class Sizes:
    """The sizes of a function.

    Attributes:
        dims: of each slot that is known.
        seen: of each named size, the sizes that were seen.
        slots: of each named size, where it stands among what the function gets.
        proven: whether walks showed this.
    """

    dims: dict[Slot, Dim] = field(default_factory=dict)
    seen: list[frozenset[int]] = field(default_factory=list)
    slots: list[tuple[Slot, ...]] = field(default_factory=list)
    proven: bool = False

    def of(self, place: Place, axis: int) -> Dim:
        return self.dims.get((place, axis))


def solve(
    source: Source,
    definition: Definition,
    agreement: Agreement,
    walks: Walks,
    classes: Classes = NO_CLASSES,
) -> Sizes:
    """What the sizes in the calls of a function have to do with each other; `classes` tell which have names in their fields."""
    arrays = [
        place
        for place, rank in written_places(agreement)
        if rank and agreement.kinds[str(place[0])] != Plain("int")
    ]
    if not arrays:
        return Sizes()
    # An axis of size 1 is broadcast, which shows nothing of what it must be equal to.
    for call in sorted(agreement.calls, key=_ones)[:MOST_CALLS_WALKED]:
        solver = _Solver(source, definition, agreement, walks, call, classes)
        if solver.works:
            return solver.solved()
    return _unproven(agreement)


def written_numbers(source: Source, definition: Definition) -> frozenset[int]:
    """The numbers that a function writes, itself or by the name of a constant, and that may be sizes; 1 always may."""
    import ast

    no_sizes: set[ast.AST] = set()
    numbers: set[int] = {1}
    for node in ast.walk(definition.node):
        match node:
            case ast.keyword(arg="axis" | "axes" | "seed" | "keepdims" | "in_axes" | "out_axes", value=value):
                no_sizes.update(ast.walk(value))
            case ast.Subscript(slice=index):
                no_sizes.update(ast.walk(index))
            case ast.BinOp(op=ast.Pow(), right=power):
                no_sizes.add(power)
            case ast.Assign(targets=[ast.Tuple(elts=items)]) if not any(
                isinstance(item, ast.Starred) for item in items
            ):
                numbers.add(len(items))
    for node in ast.walk(definition.node):
        if isinstance(node, ast.Constant) and type(node.value) is int and node not in no_sizes:
            numbers.add(node.value)
    return frozenset(numbers | {source.constants[n] for n in definition.names & source.constants.keys()})


class _Solver:
    def __init__(
        self,
        source: Source,
        definition: Definition,
        agreement: Agreement,
        walks: Walks,
        call: Call,
        classes: Classes,
    ) -> None:
        self._definition = definition
        self._agreement = agreement
        self._walks = walks
        self._call = call
        self._names = declared(call, definition, classes, source).names
        self._count = 0
        #: Whether a number that is passed can be no other alone: what follows from it is not told from what is written.
        self._has_fixed = False
        self._numbers = written_numbers(source, definition)
        self._seen = dict(slots_of(call))
        self._written = {(place, axis) for place, rank in written_places(agreement) for axis in range(rank)}
        self._base = self._walked({})
        returned = {} if call.returned is None else dict(places(call.returned, (RETURN,)))
        arrays = {place: dims for place, dims in returned.items() if not is_int(call.returned, place)}
        self.works = self._base is not None and all(
            self._base.get(place) == dims for place, dims in arrays.items()
        )

    def _walked(self, sizes: Mapping[Slot, int]) -> Given | None:
        """What a walk gives; None if the body does not work with these sizes."""
        self._count += 1
        if self._count > MOST_WALKS:
            return None
        response = self._walks.walk(self._definition, self._call, sizes)
        return response if isinstance(response, dict) else None

    def _moved(self, units: Sequence[Unit], factors: Sequence[int] = FACTORS) -> tuple[int, Given] | None:
        """What a walk gives where the sizes of some units are another, with what they were multiplied by."""
        base = self._base or {}
        for factor in factors:
            response = self._walked({slot: self._seen[slot] * factor for unit in units for slot in unit})
            if response is not None and {p: len(d) for p, d in response.items()} == {
                p: len(d) for p, d in base.items()
            }:
                return factor, response
        return None

    def solved(self) -> Sizes:
        sizes = Sizes(proven=True)
        responses: list[tuple[int, Given]] = []
        of_result = {size for dims in (self._base or {}).values() for size in dims}
        for group in self._groups():
            remaining = list(self._units(group))
            is_in_result = self._seen[group[0]] in of_result
            while first := next((u for u in remaining if is_in_result or u[0] in self._written), None):
                remaining.remove(first)
                smallest = self._smallest(first, remaining)
                if smallest is None:
                    value = self._seen[first[0]]
                    self._has_fixed |= self._is_number(first)
                    sizes.dims |= dict.fromkeys(first, self._number(value))
                    continue
                units, response = smallest
                slots = tuple(slot for unit in units for slot in unit)
                rest = (tuple(slot for slot in unit if slot not in slots) for unit in remaining)
                remaining = [unit for unit in rest if unit]
                sizes.dims |= dict.fromkeys(slots, named(len(sizes.slots)))
                sizes.slots.append(slots)
                sizes.seen.append(_sizes_of(self._agreement, slots[0]))
                responses.append(response)
        for place, dims in (self._base or {}).items():
            for axis, size in enumerate(dims):
                if size is not None:
                    sizes.dims[place, axis] = self._result(place, axis, size, sizes, responses)
        for of in range(len(sizes.slots)):
            self._open_unlike(of, sizes)
        return sizes

    def _open_unlike(self, of: int, sizes: Sizes) -> None:
        """Open the sizes of the result that are not as told for sizes of another kind than those that were tried."""
        values = [self._seen[slots[0]] for slots in sizes.slots]
        results = {slot for slot in sizes.dims if slot[0][0] == RETURN}
        for new in unlike(values[of], values):
            others = [*values[:of], new, *values[of + 1 :]]
            response = self._walked(dict.fromkeys(sizes.slots[of], new)) if results else None
            for place, axis in results:
                dims = (response or {}).get(place, ())
                size = dims[axis] if axis < len(dims) else None
                if size is not None and size != value_of(sizes.dims[place, axis], others):
                    sizes.dims[place, axis] = None

    def _units(self, group: Sequence[Slot]) -> Iterator[Unit]:
        """The slots of a group: each that is written by itself, and the others by the parameter that they are in, or what they are called there."""
        objects = {self._names[slot][1] for slot in group if slot in self._names}
        others: dict[tuple[object, ...], list[Slot]] = {}
        for slot in group:
            if slot in self._written:
                yield (slot,)
                continue
            name, owner = self._names.get(slot, ("", ()))
            key = (
                (name, owner if len(objects) <= MOST_LIKE_OBJECTS else slot[0][0]) if name else (slot[0][0],)
            )
            others.setdefault(key, []).append(slot)
        yield from map(tuple, others.values())

    def _is_whole(self, unit: Unit) -> bool:
        """Whether all of a unit is of one size, since it has one name."""
        return all(slot in self._names for slot in unit)

    def _is_number(self, unit: Unit) -> bool:
        return any(self._agreement.kinds.get(str(place[0])) == Plain("int") for place, _ in unit)

    def _groups(self) -> list[list[Slot]]:
        """The slots that had equal sizes in every call."""
        groups: dict[tuple[int | None, ...], list[Slot]] = {}
        for slot in self._seen:
            rows = self._agreement.sizes.get(slot[0])
            key = rows[slot[1]] if rows else (self._seen[slot],)
            groups.setdefault(key, []).append(slot)
        return list(groups.values())

    def _smallest(self, first: Unit, others: Sequence[Unit]) -> tuple[list[Unit], tuple[int, Given]] | None:
        """The fewest units that can have another size together, of which one is the first."""
        # No question of `proof`: not what an accepted size proves, but whose size it is.
        parts: list[tuple[Unit, ...]] = [
            ((slot,),)
            for other in others
            if 1 < len(other) <= MOST_TREE_SLOTS and not self._is_whole(other)
            for slot in other
        ]
        pairs = itertools.combinations(others, 2) if len(others) <= MOST_PAIRED_UNITS else ()
        for chosen in [(), *parts, *((other,) for other in others), *pairs]:
            factors = FACTORS if len(chosen) < 2 else FACTORS[:1]
            is_part = len(chosen) == 1 and chosen[0] not in others
            if (is_part or len(chosen) < len(others)) and (
                response := self._moved([first, *chosen], factors)
            ):
                if len(chosen) == 1 and self._is_proportional(first, chosen[0], others):
                    return None
                return self._split([first, *chosen], response)
        kept = list(others)
        response = self._moved([first, *kept])
        if response is None:
            return None
        for unit in others if len(others) > 3 else ():
            fewer = [each for each in kept if each != unit]
            if (without := self._moved([first, *fewer])) is not None:
                kept, response = fewer, without
        return self._split([first, *kept], response)

    def _is_proportional(self, first: Unit, chosen: Unit, others: Sequence[Unit]) -> bool:
        """Whether the first may as well be another with something else: it is then a product of both, such as ``h // p * w // p``."""
        numbers = self._is_number(first) or self._is_number(chosen)
        rest = [other for other in others if other != chosen] if numbers else []
        return any(self._moved([first, other], FACTORS[:1]) for other in rest)

    def _split(self, units: list[Unit], response: tuple[int, Given]) -> tuple[list[Unit], tuple[int, Given]]:
        """Without the slots of trees that need not have the other size: two layers may be as wide by chance."""
        for at, unit in enumerate(units):
            if not 1 < len(unit) <= MOST_TREE_SLOTS or self._is_whole(unit):
                continue
            for some in (*((slot,) for slot in unit), *itertools.combinations(unit, 2)):
                fewer = tuple(slot for slot in units[at] if slot not in some)
                if set(some) <= set(units[at]) and fewer:
                    without = self._moved([*units[:at], fewer, *units[at + 1 :]], FACTORS[:1])
                    if without is not None:
                        units[at], response = fewer, without
        return units, response

    def _number(self, size: int) -> Dim:
        """A size that is never another, if the function writes it, and walks were left to show it."""
        evidence = Evidence(
            accepted=1,
            sizes=[[size]],
            expected=self._numbers,
            is_searched=True,
            untried_sizes=self._count > MOST_WALKS,
        )
        proof = proven(evidence)
        dims = proof.dims([size]) if isinstance(proof, Proof) else None
        return None if dims is None else dims[0]

    def _by_numbers(self, dim: str, *numbers: int) -> Dim:
        """A size that follows from another by numbers; unknown if these may have been passed."""
        return None if self._has_fixed and not self._numbers.issuperset(numbers) else dim

    def _proportional(self, of: int, size: int, value: int) -> Dim:
        if size % value == 0:
            return self._by_numbers(product(of, factor=size // value), size // value)
        if value % size == 0:
            return self._by_numbers(product(of, divisor=value // size), value // size)
        return None

    def _result(
        self, place: Place, axis: int, size: int, sizes: Sizes, responses: Sequence[tuple[int, Given]]
    ) -> Dim:
        """What a size of the result is, by what it becomes when each named size is another."""
        # No question of `proof` but for `_number`: the formula is a guess here, which `_open_unlike` looks at again.
        changed = [
            (of, factor, new)
            for of, (factor, response) in enumerate(responses)
            if (new := response[place][axis]) != size
        ]
        if any(new is None for _, _, new in changed):
            return None
        values = [self._seen[slots[0]] for slots in sizes.slots]
        match changed:
            case []:
                return self._number(size)
            case [(of, factor, int(new))]:
                if size == values[of] and new == size * factor:
                    return named(of)
                if new == size * factor:
                    return self._proportional(of, size, values[of])
                slope, rest = divmod(new - size, values[of] * (factor - 1))
                if rest == 0 and slope > 0:
                    more = size - slope * values[of]
                    return self._by_numbers(total(of, None, slope, more), slope, abs(more) or 1)
            case [(left, factor, int(new)), (right, other, int(newer))]:
                if size == values[left] * values[right] > 1 and (new, newer) == (size * factor, size * other):
                    return product(left, right)
                grown = (new - size, newer - size)
                if size == values[left] + values[right] and grown == (
                    values[left] * (factor - 1),
                    values[right] * (other - 1),
                ):
                    return total(left, right)
        return None


def _ones(call: Call) -> int:
    return sum(size == 1 for _, size in slots_of(call))


def _sizes_of(agreement: Agreement, slot: Slot) -> frozenset[int]:
    rows = agreement.sizes.get(slot[0])
    return frozenset(size for size in rows[slot[1]] if size is not None) if rows else frozenset()


def _unproven(agreement: Agreement) -> Sizes:
    """Where no walk tells: sizes are one that changed together from call to call.

    All others are open, but for those of an only array: nothing else can be equal to them.
    """
    sizes = Sizes()
    known: dict[tuple[int | None, ...], int] = {}
    arrays = [place for place, rank in written_places(agreement) if rank]
    arrays = [place for place in arrays if agreement.kinds[str(place[0])] != Plain("int")]
    is_only = sum(place[0] != RETURN for place in arrays) == 1
    ordered = sorted(agreement.sizes.items(), key=lambda item: item[0][0] == RETURN)
    for place, rows in ordered:
        for axis, row in enumerate(rows):
            seen = frozenset(size for size in row if size is not None)
            of = known.get(row) if varies(row) else None
            if of is None and (place not in arrays or place[0] == RETURN or not (is_only or varies(row))):
                continue
            if of is None:
                of = len(sizes.slots)
                known[row] = of
                sizes.slots.append(())
                sizes.seen.append(seen)
            sizes.dims[place, axis] = named(of)
            if place[0] != RETURN:
                sizes.slots[of] += ((place, axis),)
    return sizes
