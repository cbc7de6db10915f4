"""From what was found out about a function to the overloads that state it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .. import hints, requests, tables
from ..probing import evaluate, samples
from ..probing.evaluate import Many, Other, Outcome, Spec
from ..probing.parameters import ARRAY, Given
from . import claims, pairs, shapes
from .claims import Claim
from .study import Choice, Group, Patterns, Ranks, Study
from .terms import UNKNOWN, class_name, folded, leading, needed, put_through, result_dtypes

#: The type variables for dims.
DIMS = ("_K", "_L", "_M", "_N")
#: A shape of which the rank is unknown, and a type that only an unknown one matches.
UNKNOWN_SHAPE, NOTHING = "_Unranked", "_Sen"


class Row(NamedTuple):
    """One overload: an annotation for each parameter that it has, and the result."""

    choices: Mapping[str, Choice]
    result: str


Shapes = tuple[str, ...]  # of the arrays of a call


class Dims(NamedTuple):
    """The shapes of the arrays in a row, and those in its result."""

    given: Shapes
    result: tuple[str, ...]


def rows(found: Study) -> list[Row]:
    """The overloads, the most specific ones first."""
    if found.relation is not None:
        from . import pair_rows

        return [*exceptions(found), *pair_rows.rows(found), *_any_shape(found)]
    general: list[tuple[Group, Dims]] = []
    by_rank: list[tuple[Group, Dims]] = []
    for group in _without_repetitions(found.groups):
        if (dims := _general(group)) is not None:
            general.append((group, dims))
        else:
            by_rank += _by_rank(group)
    if found.takes_dtype in [given.name for given in found.probe.required]:
        return list(_asked(found, general, whole=len(general) == 1 and not by_rank))
    by_rank = _fewer(found, by_rank)
    plain = [_row(found, group, dims) for group, dims in general]
    if len(found.probe.arrays) > 2 and any(dims.result[0] == "_S" for _, dims in general):
        plain = [*_unknown_shape(found), *plain]  # an array of unknown shape may be broadcast with the others
    if by_rank:
        plain += _unknown_shape(found)
        plain += [_row(found, group, dims) for group, dims in by_rank]
    if found.trailing:
        plain += _trailing(found, general)
    plain += _beside(found, general)
    scalars = _two_scalars(found, general, by_rank) if found.operands else _scalars(found, general)
    asked = list(_asked(found, general, whole=len(general) == 1 and not by_rank))
    often = [row for row in asked if _by_class(found, row)]
    return [
        *often,  # first: a call that asks for no dtype has fewer arguments than these rows want
        *exceptions(found),
        *plain,
        *scalars,
        *_data(found, general),
        *_any_shape(found),
        *(row for row in asked if row not in often),
    ]


#: More rows than this cost more than they tell.
MOST_ROWS = 20


def _fewer(found: Study, by_rank: list[tuple[Group, Dims]]) -> list[tuple[Group, Dims]]:
    """The rows by rank, fewer if they are too many: only those for any axis, then none of a high rank."""
    if len(by_rank) > MOST_ROWS:
        by_rank = [(group, dims) for group, dims in by_rank if not _single_axis(group)]
    for rank in (4, 3, 2):
        if len(by_rank) > MOST_ROWS:
            by_rank = [(group, dims) for group, dims in by_rank if _highest(dims) < rank]
    return by_rank


def _single_axis(group: Group) -> bool:
    return any(
        text.startswith("Literal[") and text[8] in "-0123456789"
        for choice in group.choices.values()
        for text in choice.annotations
    )


def _highest(dims: Dims) -> int:
    return max(shape.count(",") + (shape != "tuple[()]") for shape in dims.given)


ODD = " | ".join(map(tables.class_name, claims.ODD))


def exceptions(found: Study) -> Iterator[Row]:
    """The rows for arrays that the claims are not about."""
    names = [given.name for given in found.probe.arrays]
    main = leading(found.claims)
    results = [UNKNOWN] * len(found.claims)
    leaves = [f"Array[{UNKNOWN}, {UNKNOWN}]" for _ in results]
    result = result_of(found.result, leaves, len(leaves))
    if main is not None and any(claim.strong for claim in found.claims):
        for name in names:
            others = {given.name: _whole(given) for given in found.probe.arrays}
            weak = {name: Choice((f"Array[{ODD}, Any]",), False)}
            yield Row({**dtype_choices(found), **others, **weak}, result)
    if main is not None and main.exception and found.relation is None:
        bools = dict.fromkeys(names, Choice(("Array[bool_, Any]",), False))
        yield Row({**dtype_choices(found), **bools}, result)


# shapes


def _without_repetitions(groups: list[Group]) -> Iterator[Group]:
    """The groups, less what one says of a parameter that is left out and another says of its default value."""
    said = {ranks for group in groups for choices, ranks, _ in group.told_apart if _leaves_axis_out(choices)}
    for group in groups:
        if (
            said
            and not group.told_apart
            and any(choice == Choice((), True) for choice in group.choices.values())
        ):
            yield group._replace(patterns={k: v for k, v in group.patterns.items() if k not in said})
        else:
            yield group


def _leaves_axis_out(choices: Mapping[str, Choice]) -> bool:
    return any(choice.left_out and choice.annotations for choice in choices.values())


def _general(group: Group) -> Dims | None:
    """The dims of all ranks together: the same shape, or always the same rank."""
    if len(group.patterns) == 1:
        ranks, patterns = next(iter(group.patterns.items()))
        return None if ranks else Dims((), tuple(_text(pattern, {}) for pattern in patterns))
    count = len(next(iter(group.patterns)))
    for argument in range(count):
        if all(
            pattern == shapes.identity(ranks[argument], argument)
            for ranks, patterns in group.patterns.items()
            for pattern in patterns
        ):
            given = ["_S" if count != 2 or place == argument else "Any" for place in range(count)]
            return Dims(tuple(given), ("_S",) * len(next(iter(group.patterns.values()))))
    if count > 2:  # only arrays of equal rank were tried
        return None
    places = list(zip(*group.patterns.values(), strict=True))
    if all(len({_rank(pattern) for pattern in place}) == 1 for place in places):
        return Dims(("Any",) * count, tuple(_blank(place[0]) for place in places))
    return None


def _rank(pattern: shapes.Pattern | None) -> int | None:
    return None if pattern is None else len(pattern)


def _blank(pattern: shapes.Pattern | None) -> str:
    return UNKNOWN if pattern is None else _tuple([UNKNOWN] * len(pattern))


def _by_rank(group: Group) -> Iterator[tuple[Group, Dims]]:
    for choices, ranks, patterns in group.told_apart:
        yield group._replace(choices=choices), _dims(ranks, patterns)
    for ranks, patterns in sorted(group.patterns.items()):
        if any(pattern is not None for pattern in patterns):
            yield group, _dims(ranks, patterns)


def _dims(ranks: Ranks, patterns: Patterns) -> Dims:
    used = sorted({dim for pattern in patterns for dim in pattern or () if dim is not None})
    names = dict(zip(used, DIMS[-len(used) :] if used else (), strict=False))
    given = tuple(
        _tuple([names.get((argument, dim), "Any") for dim in range(rank)])
        for argument, rank in enumerate(ranks)
    )
    return Dims(given, tuple(_text(pattern, names) for pattern in patterns))


def _text(pattern: shapes.Pattern | None, names: Mapping[tuple[int, int], str]) -> str:
    if pattern is None:
        return UNKNOWN
    return _tuple([names.get(dim, UNKNOWN) if dim else UNKNOWN for dim in pattern])


def _tuple(parts: Iterable[str]) -> str:
    return f"tuple[{', '.join(parts) or '()'}]"


def is_unknown(found: Study) -> bool:
    """Whether nothing is known of some of the dtypes of the result."""
    return any(claim.kind == "unknown" for claim in found.claims)


def is_constant(found: Study) -> bool:
    """Whether the dtypes of the result do not depend on the arguments."""
    return all(claim.kind == "constant" for claim in found.claims)


# rows


def _row(found: Study, group: Group, dims: Dims) -> Row:
    return _made(found, {**found.free, **group.choices}, dims, result_dtypes(found.claims))


def _made(
    found: Study,
    choices: Mapping[str, Choice],
    dims: Dims,
    results: list[str],
    given: list[str] | None = None,
) -> Row:
    if given is None:
        given = needed(found.claims, len(dims.given))
    arrays = {
        one.name: Choice((_array(one, dtype, shape),), False)
        for one, dtype, shape in zip(found.probe.arrays, given, dims.given, strict=True)
    }
    leaves = [f"Array[{dtype}, {shape}]" for dtype, shape in zip(results, dims.result, strict=False)]
    return Row({**arrays, **choices}, result_of(found.result, leaves, len(dims.result)))


def made(found: Study) -> dict[str, Choice]:
    """The required arguments that are no arrays, as the first group of calls has them."""
    return dict(found.groups[0].choices) if found.groups else {}


def _array(given: Given, dtype: str, shape: str) -> str:
    if given.role == ARRAY:
        return f"Array[{dtype}, {shape}]"
    return f"Sequence[_Exact[{dtype}, {shape}, Any]]"


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


def _unknown_shape(found: Study) -> Iterator[Row]:
    """The rows where the shape of an array is unknown: first, or it would take the first rank."""
    count, size = len(found.probe.arrays), len(found.claims)
    for unknown in range(count):
        given = tuple(UNKNOWN_SHAPE if place == unknown else "Any" for place in range(count))
        dims = Dims(given, (UNKNOWN,) * size)
        yield _made(found, dtype_choices(found), dims, result_dtypes(found.claims))


def _any_shape(found: Study) -> Iterator[Row]:
    """The row for any other shape, and for whatever does not change the dtype."""
    count, size = len(found.probe.arrays), len(found.claims)
    choices = dtype_choices(found)
    if not is_constant(found) and count:
        yield _made(found, choices, Dims(("Any",) * count, (UNKNOWN,) * size), result_dtypes(found.claims))
    elif is_constant(found):
        whole = {given.name: _whole(given) for given in found.probe.arrays}
        row = _made(found, choices, Dims(("Any",) * count, _always(found)), result_dtypes(found.claims))
        yield Row({**choices, **whole}, row.result)


def _always(found: Study) -> tuple[str, ...]:
    """The shapes of the arrays in a result, whatever the arguments are: their ranks, where those never vary."""
    unknown = (UNKNOWN,) * len(found.claims)
    if any(name not in found.free and name not in found.groups[0].choices for name in found.safe):
        return unknown
    seen = {
        tuple(map(_blank, patterns))
        for group in found.groups
        for patterns in (*group.patterns.values(), *(patterns for _, _, patterns in group.told_apart))
    }
    return seen.pop() if len(seen) == 1 and found.probe.arrays else unknown


def dtype_choices(found: Study) -> dict[str, Choice]:
    """All the arguments that do not change the dtype, with their whole annotations."""
    required = {
        given.name: _pinned(found, given) for given in found.probe.required if given.name != found.takes_dtype
    }
    optional = {
        given.name: found.safe[given.name] or _whole(given)
        for given in found.probe.optional
        if given.name in found.safe
    }
    return {**required, **optional}


def _pinned(found: Study, given: Given) -> Choice:
    takes_arrays = bool({"Array", "ArrayLike"} & set(given.members)) and given.name != "key"
    if given.name not in found.probe.pinned and not takes_arrays:
        return _whole(given)
    return Choice(tuple(_of_any_shape(variant.annotation) for variant in found.probe.variants(given)), False)


def _of_any_shape(annotation: str) -> str:
    """The annotation of an array that must have the shape of the result, where that is not known."""
    return annotation.replace(samples.OF_RESULT, "Array[Any, Any]")


def _whole(given: Given) -> Choice:
    """The annotation that the function has."""
    return Choice((hints.text(given.members),), not given.required)


def _asked(found: Study, plain: list[tuple[Group, Dims]], whole: bool) -> Iterator[Row]:
    """The rows for a given dtype: with the shape for the usual ways to give one, or where that is the `whole` rule."""
    if found.takes_dtype is None:
        return
    data = {given.name: _whole(given) for given in found.probe.arrays if found.data}
    whole = whole and not data
    for request in requests.requests():
        dtype = {found.takes_dtype: Choice((request.annotation,), False)}
        results = [request.result] * len(found.claims)
        any_dtype = ["Any"] * len(found.probe.arrays)
        shaped = request == requests.BY_CLASS or (whole and request != requests.MISSPELT)
        if shaped:
            for group, dims in plain[:MOST_WITH_SHAPE]:
                if not found.probe.arrays or dims.given[0] in ("_S", "Any"):
                    yield _made(found, {**found.free, **group.choices, **dtype}, dims, results, any_dtype)
        if not (shaped and whole):
            dims = Dims(("Any",) * len(found.probe.arrays), (UNKNOWN,) * len(found.claims))
            row = _made(found, {**dtype_choices(found), **dtype}, dims, results, any_dtype)
            yield Row({**row.choices, **data}, request.answer(row.result))


def _by_class(found: Study, row: Row) -> bool:
    asked = row.choices[found.takes_dtype or ""].annotations[0]
    return asked in (requests.UNKNOWN_CLASS.annotation, requests.BY_CLASS.annotation)


#: Groups of calls that get rows for Python scalars.
WITH_SCALARS = 5
#: Groups of calls of which the shape is told beside a class that is asked for.
MOST_WITH_SHAPE = 5


#: The annotation of each type of Python scalar, in an order in which each accepts those before it.
SCALARS = {
    "bool": "_bool",
    "int": "int",
    "float64": "_np.float64",
    "float": "float",
    "complex128": "_np.complex128",
    "complex": "_complex",
}


def _scalars(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a Python scalar instead of the array."""
    for group, _ in general[:WITH_SCALARS]:
        patterns = group.patterns.get((0,))
        if patterns is None or not found.scalars:
            continue
        for last in _last_of_equal(found.scalars):
            results = found.scalars[last]
            dims = Dims((), tuple(_text(pattern, {}) for pattern in patterns))
            row = _made(found, {**found.free, **group.choices}, Dims(("Any",), dims.result), list(results))
            name = found.probe.arrays[0].name
            yield Row({**row.choices, name: Choice((SCALARS[last],), False)}, row.result)


def _last_of_equal(found: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The types of scalars of which the following one, which accepts them, gives something else."""
    for kind, others in found.items():
        following = list(SCALARS)[list(SCALARS).index(kind) + 1 :]
        accepting = [other for other in following if not (kind in ("bool", "int") and other == "float64")]
        accepting = [other for other in accepting if not (kind != "complex128" and other == "complex128")]
        if not accepting or found.get(accepting[0]) != others:
            yield kind


def _data(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for nested sequences of Python scalars."""
    for group, _ in general[:1]:
        unknown = {f"Sequence[{NOTHING}]": (UNKNOWN, 0)} if found.data else {}
        for annotation, (dtype, rank) in {**unknown, **found.data}.items():
            dims = Dims(("Any",), (_tuple([UNKNOWN] * rank) if rank else UNKNOWN,))
            row = _made(found, {**found.free, **group.choices}, dims, [dtype])
            yield Row({**row.choices, found.probe.arrays[0].name: Choice((annotation,), False)}, row.result)


def _trailing(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for Python scalars instead of all arrays but the first."""
    same = [(group, dims) for group, dims in general if dims.given[:1] == dims.result[:1] == ("_S",)]
    for group, _ in same[:1]:
        for kind, known in found.trailing.items():
            first, *rest = found.probe.arrays
            operands = {given.name: Choice((pairs.OPERANDS[kind],), False) for given in rest}
            for dtype, results in beside_scalar(known):
                leaves = [f"Array[{result}, _S]" for result in results]
                operands[first.name] = Choice((f"Array[{dtype}, _S]",), False)
                result = result_of(found.result, leaves, len(leaves))
                yield Row({**found.free, **group.choices, **operands}, result)


def _beside(found: Study, general: list[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a Python scalar instead of one array of several."""
    main = leading(found.claims)
    same = [group for group, dims in general if dims.given[:1] == dims.result[:1] == ("_S",)]
    if main is None or main.kind not in ("table", "binary") or main.strong or main.exception:
        return
    for group, (place, kind) in itertools.product(same[:1], found.beside):
        rest = tuple(index for index in main.arguments if index != place)
        if main.table != "power" and 0 < len(rest) < len(main.arguments):
            given = ["Any"] * len(found.probe.arrays)
            counts_as = f"_{(main.table or 'join').capitalize()}_{class_name(pairs.COUNTS_AS[kind])}"
            folded(given, rest, "join", f"{counts_as}[{put_through(main)}]")
            dims = Dims(("_S",) * len(given), ("_S",) * len(found.claims))
            row = _made(found, {**found.free, **group.choices}, dims, result_dtypes(found.claims), given)
            scalar = Choice((pairs.OPERANDS[kind],), False)
            yield Row({**row.choices, found.probe.arrays[place].name: scalar}, row.result)


def beside_scalar(known: tuple[Claim, ...]) -> Iterator[tuple[str, list[str]]]:
    """The dtypes of an array beside a scalar, so that the result's can be told from it, with those."""
    main = leading(known)
    if any(claim.strong for claim in known):
        yield ODD, [UNKNOWN] * len(known)
    if main is not None and main.kind == "fixed":
        yield (
            f"_{main.table.capitalize()}_{class_name(main.other)}[{put_through(main)}]",
            result_dtypes(known),
        )
    else:
        yield needed(known, 1)[0], result_dtypes(known)


def _two_scalars(
    found: Study, general: list[tuple[Group, Dims]], by_rank: list[tuple[Group, Dims]]
) -> Iterator[Row]:
    """The rows for Python scalars instead of both arrays."""
    assert found.operands is not None
    groups = list({id(group): group for group, _ in (*general, *by_rank)}.values())
    for group in [group for group in groups if (0, 0) in group.patterns][:WITH_SCALARS]:
        for kind, results in pairs.both_rows(found.operands.both):
            dims = Dims(("Any", "Any"), tuple(_text(pattern, {}) for pattern in group.patterns[0, 0]))
            row = _made(found, {**found.free, **group.choices}, dims, list(results))
            operands = {given.name: Choice((SCALARS[kind],), False) for given in found.probe.arrays}
            yield Row({**row.choices, **operands}, row.result)
