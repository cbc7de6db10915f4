"""The parts of a row: what it is for, the annotations of its parameters, and its result."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

from .. import hints
from ..probing import evaluate, samples
from ..probing.evaluate import Many, Other, Outcome, Spec
from ..probing.parameters import ARRAY, Argument
from .dim_expressions import UNKNOWN, needed, result_dtypes
from .dims import Dims
from .function_rules import Study
from .grouping import Choice

#: A shape of which the rank is unknown, and a type that only an unknown one matches.
UNKNOWN_SHAPE, NOTHING = "_Unranked", "_Sen"
#: The same of the arrays in a list.
UNKNOWN_IN_LIST = "_UnrankedItem"
#: The dtype of a list of arrays, if it is known of all of them.
LISTED = "_Known"


class Purpose(enum.Enum):
    """What a row is for: its place among the others, and its claim on the budget, where less comes first."""

    SHAPE = (0, 1)  # a rule for arrays of any rank, or for none
    GUARD = (1, 1)  # an array of unknown rank: none of the rows below must take it
    SAME = (2, 2)  # two arrays of one shape
    AXIS = (3, 3)  # an axis that is spelled out
    RANK = (4, 3)  # arrays of one rank
    DTYPE = (5, 0)  # whatever the shape
    SCALAR = (6, 3)  # Python numbers for arrays
    DATA = (7, 1)  # lists of Python numbers
    ASKED = (8, 3)  # the argument `dtype`
    STATED = (-1, 0)  # written down, for rows that come first
    LAST = (9, 4)  # written down, for rows that come after what is found out

    @property
    def place(self) -> int:
        """Its place among the rows of a function."""
        return int(self.value[0])

    @property
    def cost(self) -> int:
        """How soon it is left out where there are too many."""
        return int(self.value[1])


class Row(NamedTuple):
    """One overload: its purpose, an annotation for each parameter that it has, and the result."""

    purpose: Purpose
    choices: Mapping[str, Choice]
    result: str


def make(
    study: Study,
    purpose: Purpose,
    choices: Mapping[str, Choice],
    dims: Dims,
    results: list[str] | None = None,
    dtypes: list[str] | None = None,
) -> Row:
    """A row with arrays of these dtypes: if none are said, those by which the result's are told."""
    results = result_dtypes(study.claims) if results is None else results
    if dtypes is None:
        dtypes = needed(study.claims, len(dims.operands))
    arrays = {
        argument.name: Choice((_array(argument, dtype, shape),), False)
        for argument, dtype, shape in zip(study.probe.arrays, dtypes, dims.operands, strict=True)
    }
    if any(LISTED in choice.annotations[0] for choice in arrays.values()):
        results = [LISTED if result == "_R" else result for result in results]
    leaves = [f"Array[{dtype}, {shape}]" for dtype, shape in zip(results, dims.result, strict=False)]
    return Row(purpose, {**arrays, **choices}, result_of(study.result, leaves, len(dims.result)))


def made(study: Study) -> dict[str, Choice]:
    """The required arguments that are no arrays, as the first group of calls has them."""
    return dict(study.groups[0].choices) if study.groups else {}


def _array(argument: Argument, dtype: str, shape: str) -> str:
    if argument.role == ARRAY:
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
    arrays = list(evaluate.arrays(outcome))
    if count == 1 and len(arrays) != 1:
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


def dtype_choices(study: Study) -> dict[str, Choice]:
    """All the arguments that do not change the dtype, with their whole annotations."""
    required = {
        argument.name: _pinned(study, argument)
        for argument in study.probe.required
        if argument.name != study.takes_dtype
    }
    optional = {
        argument.name: study.safe[argument.name] or whole_choice(argument)
        for argument in study.probe.optional
        if argument.name in study.safe
    }
    return {**required, **optional}


def _pinned(study: Study, argument: Argument) -> Choice:
    takes_arrays = bool({"Array", "ArrayLike"} & set(argument.members)) and argument.name != "key"
    if argument.name not in study.probe.pinned and not takes_arrays:
        return whole_choice(argument)
    return Choice(
        tuple(_of_any_shape(variant.annotation) for variant in study.probe.variants(argument)), False
    )


def _of_any_shape(annotation: str) -> str:
    """The annotation of an array that must have the shape of the result, where that is not known."""
    return annotation.replace(samples.OF_RESULT, "Array[Any, Any]")


def whole_choice(argument: Argument) -> Choice:
    """The annotation that the function has."""
    return Choice((hints.text(argument.members),), not argument.required)


def is_constant(study: Study) -> bool:
    """Whether the dtypes of the result do not depend on the arguments."""
    return all(claim.kind == "constant" for claim in study.claims)
