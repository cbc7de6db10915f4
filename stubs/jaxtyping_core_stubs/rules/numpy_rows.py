"""The overloads of a function of one array for an array of NumPy."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtyping_core import dtypes

from .. import operators, tables
from ..probing.parameters import ARRAY
from . import claims, named, rows
from .rows import Row
from .study import Choice, Study

#: Distributions are given arrays of JAX: their rows would be more than they tell.
WITHOUT = "jax.scipy.stats."


def overloads(found: Study) -> Iterator[Row]:
    """A row for each dtype that the function gives, after one for an array of which the dtype is not known."""
    main = rows.leading(found.claims)
    array, *more = found.probe.arrays or (None,)
    if main is None or array is None or more or array.role != ARRAY or main.strong or found.data:
        return
    if main.kind not in ("same", "table") or found.probe.path.startswith(WITHOUT):
        return
    choices = rows.dtype_choices(found)
    for result, nodes in [(rows.UNKNOWN, ["_Sen"]), *_groups(main).items()]:
        annotation = Choice((f"_np.ndarray[Any, _np.dtype[{' | '.join(nodes)}]]",), False)
        others = [rows.UNKNOWN if one == rows.RESULT else one for one in rows.result_dtypes(found.claims)]
        said = [result if claim == main else other for claim, other in zip(found.claims, others, strict=True)]
        leaves = [f"Array[{dtype}, {rows.UNKNOWN}]" for dtype in said]
        yield Row({**choices, array.name: annotation}, rows.result_of(found.result, leaves, len(leaves)))


def _groups(main: claims.Claim) -> dict[str, list[str]]:
    """NumPy's types by the class of the result: without 64-bit types JAX shrinks the array first."""
    groups: dict[str, list[str]] = {}
    for node in operators.NUMPY:
        off = claims.predict(main, (dtypes.canonical(node, x64=False),))
        on = claims.predict(main, (node,))
        if off is None or on is None or not named.has_classes(pair := (off[0], on[1])):
            continue
        if result := tables.spell(pair):
            groups.setdefault(result, []).append(f"_np.{tables.class_name(node)}")
    return groups
