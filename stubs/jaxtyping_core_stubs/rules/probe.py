"""Calls of one function: which are accepted, and what they give."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any, NamedTuple

from jaxtyping_core import dtypes

from .. import tables
from ..probing import samples
from ..probing.evaluate import Call, Outcome, Spec, arrays, evaluate
from ..probing.parameters import ARRAY, SEQUENCE, Argument, arguments
from . import claims, shapes
from .claims import Claim

Settings = Mapping[str, Any]

#: The dtypes that calls are tried with, in this order, where only the shape matters.
USUAL = ("float32", "int32", "bool", "complex64", "uint8", "uint32")
#: Enough dtypes to see whether a parameter changes the dtype of the result.
VARIED = ("bool", "uint8", "int32", "bfloat16", "float32", "complex64", "weak_int", "weak_float")
#: Dtypes for the functions of two arrays: one at least of every kind and width class, and all that promote alone.
PAIRED = (
    *("bool", "uint8", "uint32", "int8", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", *dtypes.WEAK),
)
#: Dtypes for the functions of three arrays, and of more. All dtypes are tried alone, as those of all arrays.
FEW = ("int32", "bfloat16", "float32", "weak_int", "weak_float")
FEWEST = ("int32", "bfloat16", "weak_float")
#: Dtypes for arrays of other shapes: those that might be treated otherwise.
ELSEWHERE = ("bool", "bfloat16", *dtypes.WEAK)


class Probe(NamedTuple):
    """A function with its parameters."""

    path: str
    function: Callable[..., Any]
    parameters: list[Argument]
    pinned: tuple[str, ...] = ()  # the required parameters that only one variant is left of
    pins: Mapping[str, tuple[samples.Variant, ...]] = {}

    def pin(self, name: str, variants: tuple[samples.Variant, ...], free: bool = False) -> Probe:
        """The function with a parameter that has only these variants."""
        pinned = self.pinned if free else (*self.pinned, name)
        return self._replace(pinned=pinned, pins={**self.pins, name: variants})

    @property
    def arrays(self) -> list[Argument]:
        """The required arrays and sequences of arrays."""
        return [
            argument
            for argument in self.parameters
            if argument.required and argument.role in (ARRAY, SEQUENCE)
        ]

    @property
    def required(self) -> list[Argument]:
        """What else every call must have."""
        return [
            argument
            for argument in self.parameters
            if argument.required and argument.role not in (ARRAY, SEQUENCE)
        ]

    @property
    def optional(self) -> list[Argument]:
        """What a call may have."""
        return [argument for argument in self.parameters if not argument.required and not argument.starred]

    def variants(self, argument: Argument) -> tuple[samples.Variant, ...]:
        """The variants of a parameter."""
        if argument.name in self.pins:
            return self.pins[argument.name]
        return samples.variants(self.path, argument.name, argument.members)

    def call(self, operands: Sequence[Any], settings: Settings) -> Call:
        """The call with these operands for its arrays, and these other arguments."""
        values = dict(settings)
        for argument, operand in zip(self.arrays, operands, strict=True):
            values[argument.name] = [operand, operand] if argument.role == SEQUENCE else operand
        positional = [
            argument.name
            for argument in self.parameters
            if argument.parameter.kind is Parameter.POSITIONAL_ONLY
        ]
        args = tuple(values.pop(name) for name in itertools.takewhile(values.__contains__, positional))
        return Call(args, values)

    def outcomes(self, calls: Sequence[Call], x64: bool = False) -> list[Outcome]:
        """What the calls give."""
        return evaluate(self.function, calls, x64)


def probe(path: str, function: Callable[..., Any]) -> Probe:
    """The function called `path`."""
    return Probe(path, function, arguments(path, function))


class Base(NamedTuple):
    """A call that is accepted: the shapes of the arrays, and the arguments that every call must have."""

    shapes: tuple[shapes.Shape, ...]
    settings: dict[str, Any]
    node: str = "float32"


#: Parameters that give the dtype of the result.
DTYPE = ("dtype", "new_dtype", "index_dtype")

#: Shapes that one of most functions' arrays have.
_BASES: tuple[shapes.Shape, ...] = ((3,), (3, 3), (), (2, 3, 3), (2, 4, 5, 6))


def base(probed: Probe) -> Base | None:
    """The first call that the function accepts."""
    for made in _bases(probed):
        calls = [probed.call([Spec(node, shape) for shape in made.shapes], made.settings) for node in USUAL]
        for node, outcome in zip(USUAL, probed.outcomes(calls), strict=True):
            if outcome is not None:
                return made._replace(node=node)
    return None


def _bases(probed: Probe) -> Iterator[Base]:
    count = len(probed.arrays)
    same: list[tuple[shapes.Shape, ...]] = [(shape,) * count for shape in _BASES]
    mixed: list[tuple[shapes.Shape, ...]] = (
        [((3, 3), (3,)), ((3,), ()), ((3, 3), ()), ((), (3,))] if count == 2 else []
    )
    mixed += [((3,), (), (3,)), ((3,), (), ())] if count == 3 else []
    for picked in [*same, *mixed] if count else [()]:
        for settings in _settings(probed, picked[0] if picked else ()):
            yield Base(picked, settings)


def _settings(probed: Probe, shape: shapes.Shape) -> Iterator[dict[str, Any]]:
    names = [required.name for required in probed.required]
    values = [_values(probed, required, shape) for required in probed.required]
    for picked in itertools.islice(itertools.product(*values), 60):
        yield dict(zip(names, picked, strict=True))


def values_of_dtype() -> list[Any]:
    """Dtypes to ask for."""
    return [dtypes.numpy_dtype("float32"), dtypes.numpy_dtype("int32")]


def _values(probed: Probe, required: Argument, shape: shapes.Shape) -> list[Any]:
    if required.name in DTYPE:
        return values_of_dtype()
    return [value for variant in probed.variants(required) for value in variant.values(shape)][:12]


def dtypes_of(probed: Probe, made: Base) -> tuple[Claim, ...]:
    """The claims about the dtype of each array in the result."""
    return _claims(
        probed, made, [*(_of_shape(made, shape) for shape in _ELSEWHERE), *_one_without_dims(made)]
    )


def _of_shape(made: Base, shape: shapes.Shape) -> Base:
    return made._replace(shapes=(shape,) * len(made.shapes))


def _claims(probed: Probe, made: Base, others: list[Base]) -> tuple[Claim, ...]:
    """What holds for the arrays of a call, and for those of others."""
    here = _seen(probed, made, list(_inputs(len(probed.arrays))))
    if not any(claims.find(seen) != claims.UNKNOWN for seen in here):
        return (claims.UNKNOWN,) * len(here)
    few = _inputs(1) if len(probed.arrays) == 1 else _mixed(len(probed.arrays), ELSEWHERE)
    inputs = list(few)
    elsewhere = [_seen(probed, other, inputs) for other in others]
    return tuple(
        claims.find(own, [seen[place] for seen in elsewhere if len(seen) == len(here)])
        for place, own in enumerate(here)
    )


#: Shapes of which the dtype of the result might depend.
DEEPER: shapes.Shape = (2, 3, 3)
_ELSEWHERE: tuple[shapes.Shape, ...] = ((), DEEPER)


def _one_without_dims(made: Base) -> Iterator[Base]:
    """The call with one array that has no dims, in each place: a weak one is then as a Python scalar."""
    if 1 < len(made.shapes) <= 3:
        for place in range(len(made.shapes)):
            yield made._replace(shapes=(*made.shapes[:place], (), *made.shapes[place + 1 :]))


def _seen(probed: Probe, made: Base, inputs: list[claims.Inputs]) -> list[dict[claims.Inputs, claims.Pair]]:
    """For each array in the result: the dtypes that went in, and what came out in both modes."""
    narrow = _results(probed, made, inputs, x64=False)
    results = [narrow, _results(probed, made, inputs, x64=True) if _promising(narrow) else narrow]
    count = min((len(nodes) for nodes in results[1].values()), default=0)
    return [
        {key: _pair(key, results, place) for key in results[1] if _known(key, results, place)}
        for place in range(count)
    ]


def _promising(narrow: dict[claims.Inputs, list[str]]) -> bool:
    """Whether what was seen without 64-bit types follows any rule at all."""
    count = min((len(nodes) for nodes in narrow.values()), default=0)
    seen = [{key: (nodes[place], nodes[place]) for key, nodes in narrow.items()} for place in range(count)]
    return any(claims.find(observed, narrow=True) != claims.UNKNOWN for observed in seen)


def _known(key: claims.Inputs, results: list[dict[claims.Inputs, list[str]]], place: int) -> bool:
    return claims.only_wide(key) or (key in results[0] and place < len(results[0][key]))


def _pair(key: claims.Inputs, results: list[dict[claims.Inputs, list[str]]], place: int) -> claims.Pair:
    off, on = results
    narrow = on if claims.only_wide(key) else off
    return narrow[key][place], on[key][place]


def _inputs(count: int) -> Iterator[claims.Inputs]:
    """Dtypes for the arrays of a call: every one for all of them, and some of them for each."""
    yield from ((node,) * count for node in tables.nodes())
    mixed = _mixed(count, {2: PAIRED, 3: FEW}.get(count, FEWEST))
    yield from (key for key in mixed if len(set(key)) > 1)


def _mixed(count: int, nodes: Sequence[str]) -> Iterator[claims.Inputs]:
    """All combinations of some dtypes, if they are not too many."""
    if count <= 4:
        yield from itertools.product(nodes[-4:] if count > 2 and nodes == ELSEWHERE else nodes, repeat=count)


def _results(
    probed: Probe, made: Base, inputs: list[claims.Inputs], x64: bool
) -> dict[claims.Inputs, list[str]]:
    """The dtypes of the arrays in each result; calls that are refused are left out."""
    usable = [key for key in inputs if x64 or not claims.only_wide(key)]
    calls = [
        probed.call([Spec(node, shape) for node, shape in zip(key, made.shapes, strict=True)], made.settings)
        for key in usable
    ]
    outcomes = dict(zip(usable, probed.outcomes(calls, x64), strict=True))
    return {
        key: [spec.node for spec in arrays(outcome)]
        for key, outcome in outcomes.items()
        if outcome is not None
    }


#: A value of each type of Python scalar.
PYTHON: dict[str, Any] = {"bool": True, "int": 2, "float": 2.0, "complex": 2j}
#: Lists of Python numbers, and lists of lists: their annotations, with the number of dims.
NESTED: dict[str, tuple[Any, int]] = {
    "Sequence[_bool]": ([True, False], 1),
    "Sequence[int]": ([1, 2], 1),
    "Sequence[float]": ([1.0, 2.0], 1),
    "Sequence[Sequence[float]]": ([[1.0, 2.0]] * 3, 2),
}


def few_inputs(count: int) -> Iterator[claims.Inputs]:
    """Some dtypes for the arrays of a call."""
    yield from ((node,) * count for node in VARIED)


def strong_nodes() -> list[str]:
    """The dtypes that can be asked for."""
    return [node for node in tables.nodes() if node not in dtypes.WEAK]


def spelled(off: str, on: str) -> str:
    """The class for a result in the two modes."""
    return tables.spell((off, on)) or "Unk"
