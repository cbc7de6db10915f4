"""Optional parameters that take part in the promotion of a function, as ``loc`` and ``scale`` of a distribution do.

A call that leaves them out has the dtype that the rules of the function say. For one that gives them it is shown here
that they count as one more array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .. import tables
from ..probing.evaluate import Spec, arrays
from ..probing.parameters import ARRAY, Given
from . import by_rank, claims, making, pairs, probe, terms
from .claims import Claim
from .grouping import Choice
from .making import Row
from .shapes import Shape
from .study import Study


class Joining(NamedTuple):
    """A parameter, with the types of scalars that count there as well, and the claims about a call that has it."""

    name: str
    scalars: tuple[str, ...]
    claim: Claim
    with_dims: Claim  # where all arrays have dims, as many each: it says more
    scalars_with_dims: tuple[str, ...]  # of those types, the ones of which the second claim is true as well


#: For more arrays the stubs have no type variables.
MOST = 3
#: The dtypes of the other arrays of the calls that are tried.
_OTHERS = ("int32", "bfloat16", "float32", "bool", "weak_int", "weak_float", "weak_complex")


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
    arrays = {node: Spec(node, _shape(found)) for node in probe.PAIRED}
    if _counts(found, claim, given.name, arrays):
        kinds = {kind: {pairs.COUNTS_AS[kind]: probe.PYTHON[kind]} for kind in ("int", "float")}
        scalars = [kind for kind, values in kinds.items() if _counts(found, claim, given.name, values)]
        more = _with_dims(found, claim, given.name, arrays)
        of_more = (
            kind for kind in scalars if more != claim and _counts(found, more, given.name, kinds[kind])
        )
        yield Joining(given.name, tuple(scalars), claim, more, tuple(of_more))


def _with_dims(found: Study, claim: Claim, name: str, values: Mapping[str, object]) -> Claim:
    """The claim with what was seen of the dtypes that JAX treats in a way of its own, where all arrays have dims."""
    if _shape(found) == ():
        return claim
    both, _ = _seen(found, name, values)
    alike = {node: {pair for key, pair in both.items() if set(key) == {node}} for node in claims.ODD}
    odd = {node: pairs.pop() for node, pairs in alike.items() if len(pairs) == 1}
    more = claim._replace(results=tuple((node, odd.get(node, pair)) for node, pair in claim.results))
    return more if claims.holds(more, both) else claim


def _without_odd(main: Claim) -> claims.Results:
    """The table of the claim, where it says nothing of what JAX treats in a way of its own."""
    said = dict(main.results) or {
        node: pair for node in tables.nodes() if (pair := claims.joined((node, node), main.table))
    }
    return tuple((node, claims.OPEN if node in claims.ODD else pair) for node, pair in said.items())


def _shape(found: Study) -> Shape:
    return found.base.shapes[0]


def _counts(found: Study, claim: Claim, name: str, values: Mapping[str, object]) -> bool:
    """Whether calls with `values`, by what they count as, give what the claim says."""
    seen, shapes = _seen(found, name, values)
    return shapes == {_shape(found)} and claims.holds(claim, seen)


def _seen(
    found: Study, name: str, values: Mapping[str, object]
) -> tuple[dict[claims.Inputs, claims.Pair], set[Shape]]:
    """What calls with `values`, by what they count as, give: the dtypes in both modes, and all shapes."""
    off, on = (_outcomes(found, name, values, x64) for x64 in (False, True))
    seen = {key: (off.get(key, spec).node, spec.node) for key, spec in on.items()}
    return seen, {spec.shape for spec in (*off.values(), *on.values())}


def _outcomes(found: Study, name: str, values: Mapping[str, object], x64: bool) -> dict[claims.Inputs, Spec]:
    one, shape = found.probe, _shape(found)
    keys = [(*(other,) * len(one.arrays), node) for other in _OTHERS for node in values]
    keys = [key for key in keys if x64 or not claims.wide(key)]
    calls = [
        one.call([Spec(key[0], shape)] * len(one.arrays), {**found.base.settings, name: values[key[-1]]})
        for key in keys
    ]
    outcomes = zip(keys, one.outcomes(calls, x64), strict=True)
    return {key: arrays(outcome)[0] for key, outcome in outcomes if outcome is not None}


def overloads(found: Study, joining: Joining) -> Iterator[Row]:
    """The rows for calls that have the parameter."""
    plain = list(_rows(found, joining.name, joining.claim, joining.scalars))
    if joining.with_dims == joining.claim:
        return iter(plain)
    more = _rows(found, joining.name, joining.with_dims, joining.scalars_with_dims)
    return by_rank.refined(plain, [], list(more))


def _rows(found: Study, name: str, claim: Claim, scalars: tuple[str, ...]) -> Iterator[Row]:
    names = [given.name for given in found.probe.arrays]
    given = ["Any"] * (len(names) + 1)
    terms.fold(given, claim)
    for shapes, shape in _shapes(len(names) + 1):
        operands = {
            name: Choice((f"Array[{dtype}, {of}]",), False)
            for name, dtype, of in zip((*names, name), given, shapes, strict=True)
        }
        yield Row({**others(found), **operands}, f"Array[{terms.RESULT}, {shape}]")
    for kind in scalars:
        yield from _beside(names, name, claim, kind, others(found))


def others(found: Study) -> dict[str, Choice]:
    """What else a call has."""
    return {**found.free, **making.made(found)}


def _shapes(count: int) -> Iterator[tuple[list[str], str]]:
    """The shapes of operands that are broadcast: of equal ones, after those that are not known."""
    for unknown in range(count):
        yield [making.UNKNOWN_SHAPE if place == unknown else "Any" for place in range(count)], terms.UNKNOWN
    yield ["_S"] * count, "_S"
    yield ["Any"] * count, terms.UNKNOWN


def _beside(names: list[str], name: str, claim: Claim, kind: str, others: dict[str, Choice]) -> Iterator[Row]:
    """The rows for a scalar."""
    given = ["Any"] * len(names)
    counts_as = f"_Join_{terms.class_name(pairs.COUNTS_AS[kind])}"
    terms.folded(given, claim.arguments[:-1], "join", f"{counts_as}[{terms.put_through(claim)}]")
    scalar = {name: Choice((pairs.OPERANDS[kind],), False)}
    for shapes, shape in _shapes(len(names)) if len(names) > 1 else [(["_S"], "_S")]:
        operands = {
            array: Choice((f"Array[{dtype}, {of}]",), False)
            for array, dtype, of in zip(names, given, shapes, strict=True)
        }
        yield Row({**others, **operands, **scalar}, f"Array[{terms.RESULT}, {shape}]")
