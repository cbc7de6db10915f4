"""The parts of a row: the annotations of its parameters, and its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .. import hints
from ..probing import evaluate, samples
from ..probing.evaluate import Many, Other, Outcome, Spec
from ..probing.parameters import ARRAY, Given
from . import shapes
from .grouping import Choice, Group
from .study import Study
from .terms import UNKNOWN, needed, result_dtypes

#: A shape of which the rank is unknown, and a type that only an unknown one matches.
UNKNOWN_SHAPE, NOTHING = "_Unranked", "_Sen"
#: The same of the arrays in a list.
UNKNOWN_IN_LIST = "_UnrankedItem"
#: The dtype of a list of arrays, if it is known of all of them.
LISTED = "_Known"


class Row(NamedTuple):
    """One overload: an annotation for each parameter that it has, and the result."""

    choices: Mapping[str, Choice]
    result: str


Shapes = tuple[str, ...]  # of the arrays of a call


class Dims(NamedTuple):
    """The shapes of the arrays in a row, and those in its result."""

    given: Shapes
    result: tuple[str, ...]


def row_of(found: Study, group: Group, dims: Dims) -> Row:
    """The row for a group of calls with arrays of such shapes."""
    return make(found, {**found.free, **group.choices}, dims, result_dtypes(found.claims))


def make(
    found: Study,
    choices: Mapping[str, Choice],
    dims: Dims,
    results: list[str],
    given: list[str] | None = None,
) -> Row:
    """A row with arrays that have the dtypes `given`: if none are, those by which the result's are told."""
    if given is None:
        given = needed(found.claims, len(dims.given))
    arrays = {
        one.name: Choice((_array(one, dtype, shape),), False)
        for one, dtype, shape in zip(found.probe.arrays, given, dims.given, strict=True)
    }
    if any(LISTED in choice.annotations[0] for choice in arrays.values()):
        results = [LISTED if result == "_R" else result for result in results]
    leaves = [f"Array[{dtype}, {shape}]" for dtype, shape in zip(results, dims.result, strict=False)]
    return Row({**arrays, **choices}, result_of(found.result, leaves, len(dims.result)))


def made(found: Study) -> dict[str, Choice]:
    """The required arguments that are no arrays, as the first group of calls has them."""
    return dict(found.groups[0].choices) if found.groups else {}


def _array(given: Given, dtype: str, shape: str) -> str:
    if given.role == ARRAY:
        return f"Array[{dtype}, {shape}]"
    if dtype == "_R":
        shape = UNKNOWN_IN_LIST if shape == UNKNOWN_SHAPE else shape
        return f"Sequence[_Item[_O, {shape}, {LISTED}]]"
    return f"Sequence[{'_Exact' if dtype == 'Any' else '_Mixed'}[{dtype}, {shape}, Any]]"


def result_of(outcome: Outcome, leaves: list[str], count: int) -> str:
    """The result with the arrays `leaves`; one leaf for many arrays where their number varies."""
    if isinstance(outcome, Spec):
        return leaves[0]
    assert isinstance(outcome, Many)
    if outcome.kind not in ("list", "tuple"):  # a named tuple
        return outcome.kind
    if outcome.kind == "list":
        same = leaves[0] if len(set(leaves)) == 1 else f"Array[{UNKNOWN}, {UNKNOWN}]"
        return f"list[{same}]"
    found = list(evaluate.arrays(outcome))
    if count == 1 and len(found) != 1:
        return f"tuple[{leaves[0]}, ...]"
    left = iter(leaves)
    items = [
        result_of(item, [next(left)], 1) if isinstance(item, Spec) else OTHERS.get(_kind(item), "Any")
        for item in outcome.items
    ]
    return f"tuple[{', '.join(items)}]"


#: The classes of results that are no arrays.
OTHERS = {"bool": "_bool", "int": "int", "float": "float", "NoneType": "None"}


def _kind(item: Outcome) -> str:
    return item.kind if isinstance(item, Other) else ""


def dtype_choices(found: Study) -> dict[str, Choice]:
    """All the arguments that do not change the dtype, with their whole annotations."""
    required = {
        given.name: _pinned(found, given) for given in found.probe.required if given.name != found.takes_dtype
    }
    optional = {
        given.name: found.safe[given.name] or whole_choice(given)
        for given in found.probe.optional
        if given.name in found.safe
    }
    return {**required, **optional}


def _pinned(found: Study, given: Given) -> Choice:
    takes_arrays = bool({"Array", "ArrayLike"} & set(given.members)) and given.name != "key"
    if given.name not in found.probe.pinned and not takes_arrays:
        return whole_choice(given)
    return Choice(tuple(_of_any_shape(variant.annotation) for variant in found.probe.variants(given)), False)


def _of_any_shape(annotation: str) -> str:
    """The annotation of an array that must have the shape of the result, where that is not known."""
    return annotation.replace(samples.OF_RESULT, "Array[Any, Any]")


def whole_choice(given: Given) -> Choice:
    """The annotation that the function has."""
    return Choice((hints.text(given.members),), not given.required)


def shape_of(pattern: shapes.Pattern | None, names: Mapping[tuple[int, int], str]) -> str:
    """The shape of a result, with the names of dims."""
    if pattern is None:
        return UNKNOWN
    return shape_with([names.get(dim, UNKNOWN) if dim else UNKNOWN for dim in pattern])


def shape_with(parts: Iterable[str]) -> str:
    """A shape as a type."""
    return f"tuple[{', '.join(parts) or '()'}]"


def is_unknown(found: Study) -> bool:
    """Whether nothing is known of some of the dtypes of the result."""
    return any(claim.kind == "unknown" for claim in found.claims)


def is_constant(found: Study) -> bool:
    """Whether the dtypes of the result do not depend on the arguments."""
    return all(claim.kind == "constant" for claim in found.claims)
