"""Optional parameters that take part in the promotion of a function, as ``loc`` and ``scale`` of a distribution do.

A call that leaves them out has the dtype that the rules of the function say. For one that gives them it is shown here
that they count as one more array.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .. import tables
from ..probing.evaluate import Spec, arrays
from ..probing.parameters import ARRAY, Given
from . import claims, pairs, probe, rows, terms
from .claims import Claim
from .rows import Row
from .study import Choice, Study


class Joining(NamedTuple):
    """A parameter, with the types of scalars that count there as well, and the claim about a call that has it."""

    name: str
    scalars: tuple[str, ...]
    claim: Claim


#: For more arrays the stubs have no type variables.
MOST = 3
#: The dtypes of the other arrays of the calls that are tried.
_OTHERS = ("int32", "bfloat16", "float32", "weak_int", "weak_float")


def find(found: Study) -> tuple[Joining, ...]:
    """The parameters of a function that take part in promotion."""
    main = terms.leading(found.claims)
    if main is None or main.kind not in ("table", "binary") or main.strong or len(set(found.claims)) > 1:
        return ()
    if main.table == "power" or any(given.role != ARRAY for given in found.probe.arrays):
        return ()
    if not 0 < len(found.probe.arrays) <= MOST:
        return ()
    return tuple(one for given in found.probe.optional if _may(given) for one in _joining(found, main, given))


def _may(given: Given) -> bool:
    """Whether a parameter has a number for its default and accepts arrays."""
    accepts = bool({"Array", "ArrayLike"} & set(given.members))
    return accepts and type(given.parameter.default) in (int, float)


def _joining(found: Study, main: Claim, given: Given) -> Iterator[Joining]:
    last = len(found.probe.arrays)
    claim = Claim("table", "", (*main.arguments, last), results=_without_odd(main))
    if _counts(found, claim, given.name, {node: Spec(node, _shape(found)) for node in probe.PAIRED}):
        kinds = {kind: {pairs.COUNTS_AS[kind]: probe.PYTHON[kind]} for kind in ("int", "float")}
        scalars = (kind for kind, values in kinds.items() if _counts(found, claim, given.name, values))
        yield Joining(given.name, tuple(scalars), claim)


def _without_odd(main: Claim) -> claims.Results:
    """The table of the claim, where it says nothing of what JAX treats in a way of its own."""
    said = dict(main.results) or {
        node: pair for node in tables.nodes() if (pair := claims.joined((node, node), main.table))
    }
    return tuple((node, claims.OPEN if node in claims.ODD else pair) for node, pair in said.items())


def _shape(found: Study) -> tuple[int, ...]:
    return found.base.shapes[0]


def _counts(found: Study, claim: Claim, name: str, values: dict[str, object]) -> bool:
    """Whether calls with `values`, by what they count as, give what the claim says."""
    one, shape = found.probe, _shape(found)
    keys = [(*(other,) * len(one.arrays), node) for other in _OTHERS for node in values]
    calls = [
        one.call([Spec(key[0], shape)] * len(one.arrays), {**found.base.settings, name: values[key[-1]]})
        for key in keys
    ]
    outcomes = zip(keys, one.outcomes(calls, x64=True), strict=True)
    accepted = {key: arrays(outcome) for key, outcome in outcomes if outcome is not None}
    seen = {key: (specs[0].node, specs[0].node) for key, specs in accepted.items()}
    shapes = {spec.shape for specs in accepted.values() for spec in specs}
    return shapes == {shape} and claims.holds(claim, seen)


def overloads(found: Study, joining: Joining) -> Iterator[Row]:
    """The rows for calls that have the parameter."""
    names = [given.name for given in found.probe.arrays]
    given = ["Any"] * (len(names) + 1)
    terms.fold(given, joining.claim)
    others = {**found.free, **rows.made(found)}
    for shapes, shape in _shapes(len(names) + 1):
        operands = {
            name: Choice((f"{kind}[{dtype}, {of}]",), False)
            for name, dtype, (kind, of) in zip((*names, joining.name), given, shapes, strict=True)
        }
        yield Row({**others, **operands}, f"Array[{terms.RESULT}, {shape}]")
    for kind in joining.scalars:
        yield from _beside(found, joining, kind, others)


#: The class of an operand, with its shape or shapes.
_Of = tuple[str, str]


def _shapes(count: int) -> Iterator[tuple[list[_Of], str]]:
    """The shapes of operands that are broadcast: of equal ones, after those that are not known."""
    for unknown in range(count):
        yield [("Array", rows.UNKNOWN_SHAPE if place == unknown else "Any") for place in range(count)], "Unk"
    yield [("Array", "_S")] * count, "_S"
    yield [("Array", "Any")] * count, "Unk"


def _beside(found: Study, joining: Joining, kind: str, others: dict[str, Choice]) -> Iterator[Row]:
    """The rows for a scalar."""
    names = [given.name for given in found.probe.arrays]
    given = ["Any"] * len(names)
    rest = joining.claim.arguments[:-1]
    counts_as = f"_Join_{terms.class_name(pairs.COUNTS_AS[kind])}"
    terms.folded(given, rest, "join", f"{counts_as}[{terms.put_through(joining.claim)}]")
    scalar = {joining.name: Choice((pairs.OPERANDS[kind],), False)}
    shape, result = ("_S", "_S") if len(names) == 1 else ("Any", "Unk")
    operands = {
        name: Choice((f"Array[{dtype}, {shape}]",), False) for name, dtype in zip(names, given, strict=True)
    }
    yield Row({**others, **operands, **scalar}, f"Array[{terms.RESULT}, {result}]")
