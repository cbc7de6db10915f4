"""Layers of libraries, and functions of arrays of such libraries, that are called with what is not wholly known."""

from __future__ import annotations

import collections
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ....identity import identity
from ....sampling.calls import Trials as Samples
from ....sampling.proof import Evidence, Proof, proven
from ....sampling.tables.limits import FEWEST_OF_ANYTHING, MOST_LAYER_SAMPLES, MOST_LAYER_SIZES
from ....sampling.tables.sizes import LAYER_SIZES, SIZES
from ...values import arrays
from ...values.states import TooLarge
from ...values.unknowns import UNKNOWN, Partial, is_anything, is_dim, is_unknown
from .. import registry
from ..calls.choices import changed, unknown_in
from ..calls.memo import Key, key_of, remember, remembered
from ..calls.sizes import around, sizes_for, symbols_in
from ..calls.trials import Trials, with_sizes_of_numbers
from ..overlay import Scopes
from .arrays import Chosen, Tried, combinations, neighbouring_samples

if TYPE_CHECKING:
    from ...interpreter import Interpreter


#: What is told where layers take more than their share of the time.
TOO_LONG = "layers with unknown inputs took too long, so the results of some are unknown"


def _subject(f: Any) -> Any:
    """What is called: an object, the one that a method is of, or a function."""
    return f.__self__ if isinstance(f, types.MethodType) else f


def is_layer(f: Any) -> bool:
    """Whether `f` is a layer, a method of one, or a function of arrays."""
    if isinstance(f, type):
        return False
    if isinstance(f, types.FunctionType):
        return registry.is_in(f.__module__, "of_arrays")
    subject = _subject(f)
    return not isinstance(subject, type) and registry.is_in(type(subject).__module__, "layers")


def is_open(f: Any) -> bool:
    """Whether parts of a layer, such as its sizes or its parameters, are not known."""
    return any(
        is_unknown(leaf) or is_dim(leaf) or (arrays.is_array(leaf) and any(map(is_dim, leaf.shape)))
        for leaf in (*parts(f), *_parameters(f))
    )


def _parameters(f: Any) -> list[Any]:
    """What a layer keeps beside it, or the layer that declares a variable itself."""
    layer = _subject(f)
    scopes = registry.scopes_of(f, layer)
    variables = None if scopes is None else scopes.variables(f, layer)
    return [] if variables is None else parts(variables)


def parts(f: Any) -> list[Any]:
    """What a layer, or the layer of a method, consists of."""
    leaves: list[Any] = []
    seen: set[int] = set()
    stack = [_subject(f)]
    while stack:
        value = stack.pop()
        within = _within(value)
        if within is None:
            leaves.append(value)
        elif identity(value) not in seen:
            seen.add(identity(value))
            stack += within
    return leaves


def _within(value: Any) -> list[Any] | None:
    """What a container or an object holds; None for everything else."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple)):
        return list(value)
    fields = None if is_unknown(value) or is_dim(value) else arrays.object_fields(value)
    if fields is None:
        return None
    around = registry.surroundings()
    return [part for name, part in fields.items() if name not in around]


def call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call with unknown parts gives, of the layer or of its arguments."""
    scopes = declaring(f)
    args = args if scopes is None else scopes.declared(args)
    key, symbols = _key(interpreter, f, [args, kwargs])
    known = remembered(interpreter, key, symbols)
    if known is not None:
        result = known[0]
        interpreter.may_raise_epoch += 1
    else:
        result = _computed(interpreter, f, args, kwargs)
        remember(interpreter, key, result, symbols)
    if result is UNKNOWN:
        interpreter.escape([f, *args, *kwargs.values()])
        interpreter.havoc([*args, *kwargs.values()])
    return result


def _computed(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    subject = _subject(f)
    if not interpreter.budget.has_share:
        interpreter.diagnostics.note(TOO_LONG)
        return _given_up(f, subject, args)
    with interpreter.budget.of_share(), interpreter.within(speculative=True, trying=True):
        try:
            trials = Trials(
                interpreter, f, None if isinstance(f, types.FunctionType) else subject, args, kwargs
            )
            accepted = _tried(trials, _known_sizes(f, args, kwargs))
        except TooLarge:
            return UNKNOWN
    interpreter.may_raise_epoch += 1
    return trials.commit() if accepted else _given_up(f, subject, args)


def _given_up(f: Any, layer: Any, args: list[Any]) -> Any:
    for scopes in registry.parts("scopes"):
        scopes.leave_open(f, layer, args)
    return UNKNOWN


def is_scoped(value: Any) -> bool:
    """Whether a value is a layer that keeps its arrays in a scope."""
    return any(scopes.has(type(value)) for scopes in registry.parts("scopes"))


def may_be_made() -> None:
    """Note that a call of something unknown may have made layers."""
    for scopes in registry.parts("scopes"):
        scopes.leave_others()


def _key(interpreter: Interpreter, f: Any, arguments: Any) -> tuple[Key, list[str]]:
    """What the result of a call depends on, whatever the names of sizes are, and these names."""
    signature = _signature(interpreter, f)
    if signature is None or isinstance(f, types.FunctionType):
        symbols = symbols_in(arguments)
        return ("layer", signature, key_of(arguments, symbols)), symbols
    layer, name, consists = signature
    symbols = symbols_in([consists, arguments])
    described = tuple(_key_of_part(part, symbols) for part in consists)
    return ("layer", (layer, name, described), key_of(arguments, symbols)), symbols


def _signature(interpreter: Interpreter, f: Any) -> Any:
    """All that a call of a layer depends on besides its arguments, its parts last; None if it may change something."""
    if isinstance(f, types.FunctionType):
        return f
    layer, name = (f.__self__, f.__name__) if isinstance(f, types.MethodType) else (f, "")
    if not registry.is_in(type(layer).__module__, "unchanged"):
        return None
    consists = parts(layer)
    scopes = next((each for each in registry.parts("scopes") if each.has(type(layer))), None)
    if scopes is not None:
        if scopes.changes(layer):
            return None
        consists += parts(scopes.variables(f, layer))
    interpreter.kept.append(consists)  # so that no other object gets the id of one of them
    return type(layer), name, consists


def _key_of_part(part: Any, symbols: list[str]) -> Any:
    """An array, or a value that nothing changes; another object is that one."""
    is_value = part is None or isinstance(part, (bool, int, float, str))
    return key_of(part, symbols) if is_value or arrays.known_of(part) is not None else identity(part)


def declaring(f: Any) -> Scopes | None:
    """The layers with scopes for which `f` declares a parameter or a variable."""
    return next((each for each in registry.parts("scopes") if each.declares(f)), None)


def declares(f: Any) -> bool:
    """Whether `f` is a method by which a layer of the program declares a parameter or a variable."""
    return declaring(f) is not None


def _known_sizes(f: Any, args: Any, kwargs: Any) -> list[int]:
    """The sizes of the layer's parameters, and of the other arguments."""
    sizes: dict[int, None] = {}
    for leaf in [*parts(f), *parts(args), *parts(kwargs)]:
        for dim in (
            leaf.shape if arrays.is_array(leaf) else leaf.dims or () if isinstance(leaf, Partial) else ()
        ):
            if type(dim) is int:
                sizes[dim] = None
    if declares(f):  # which gets the shape
        sizes.update((leaf, None) for leaf in parts(args) if type(leaf) is int)
    return sorted(sizes)[:MOST_LAYER_SIZES]


def _tried(trials: Trials, known: list[int]) -> bool:
    """Whether enough trials are accepted to tell what a call gives."""
    arguments = with_sizes_of_numbers(trials.arguments)
    leaves = _different(unknown_in(arguments))
    holes = sum(map(is_anything, leaves))
    if len(leaves) > 2 or any(not isinstance(leaf, Partial) and not is_anything(leaf) for leaf in leaves):
        return False
    if not leaves:
        return trials.try_with(arguments, {}) or _with_sizes(trials, arguments, known)
    accepted: set[int | None] = set()
    for size in LAYER_SIZES:
        is_enough = len(trials.results) >= FEWEST_OF_ANYTHING and _says_nothing(trials.common)
        if not trials.has_effects and (is_enough or (accepted and not trials.symbols)):
            break
        table = dict.fromkeys(trials.symbols, size)
        accepted.add(size if _filled(trials, arguments, leaves, [*known, size], table) else None)
    if trials.has_effects and None in accepted:  # what one size leaves behind follows from it, perhaps
        return False
    evidence = Evidence(len(trials.results), FEWEST_OF_ANYTHING if holes else 1)
    return isinstance(proven(evidence), Proof)


def _different(leaves: list[Any]) -> list[Any]:
    """Each partly known array once: it is the same one wherever it is passed. Other things may be different ones."""
    return [
        leaf
        for i, leaf in enumerate(leaves)
        if is_anything(leaf) or not any(leaf is earlier for earlier in leaves[:i])
    ]


def _filled_with(arguments: Any, leaves: list[Any], chosen: Chosen) -> Any:
    """The arguments with what is tried for each of `leaves`."""
    made = [tried.made() for tried in chosen]
    arrays_of = {
        identity(leaf): value for leaf, value in zip(leaves, made, strict=True) if not is_anything(leaf)
    }
    others = iter([value for leaf, value in zip(leaves, made, strict=True) if is_anything(leaf)])
    return changed(arguments, lambda leaf: next(others) if is_anything(leaf) else arrays_of[identity(leaf)])


def _with_sizes(trials: Trials, arguments: Any, known: list[int]) -> bool:
    """Trials with numbers for all unknown sizes; whether some are accepted."""

    def samples(so_far: Samples) -> Iterator[tuple[int, ...]]:
        yield from sizes_for(trials.symbols, [*dict.fromkeys((*SIZES, *known))])
        if len(so_far.accepted) == 1:  # the only sizes there are, or the first that were tried
            yield from around(so_far.accepted[0])

    def attempt(sizes: tuple[int, ...]) -> bool:
        return trials.try_with(arguments, dict(zip(trials.symbols, sizes, strict=True)))

    return trials.accept(samples, attempt)


def _filled(
    trials: Trials, arguments: Any, leaves: list[Any], sizes: list[int], table: dict[str, int]
) -> bool:
    """Trials with arrays for what is unknown: at first a few, then others like those that are accepted."""

    def samples(so_far: Samples) -> Iterator[Chosen]:
        first, like = combinations(leaves, sizes), collections.deque[Chosen]()
        tried, ranks = set[Any](), set[Any]()
        while len(tried) < MOST_LAYER_SAMPLES:
            accepted = len(so_far.accepted)
            if accepted >= FEWEST_OF_ANYTHING and (
                _says_nothing(trials.common) or (not like and _has_any_rank(trials.common))
            ):
                return
            chosen = like.popleft() if like else next(first, None)
            if chosen is None:
                return
            if chosen in tried:
                continue
            tried.add(chosen)
            yield chosen
            shapes = tuple(len(choice.dims) if isinstance(choice, Tried) else None for choice in chosen)
            is_new = len(so_far.accepted) > accepted and shapes not in ranks
            if is_new and not (like and _has_any_rank(trials.common)):
                ranks.add(shapes)
                like.extend(neighbouring_samples(chosen, leaves))

    return trials.accept(
        samples, lambda chosen: trials.try_with(_filled_with(arguments, leaves, chosen), table)
    )


def _has_any_rank(common: Any) -> bool:
    """Whether only a dtype is known of what a call gives."""
    return common is UNKNOWN or (isinstance(common, Partial) and common.dims is None)


def _says_nothing(common: Any) -> bool:
    return common is UNKNOWN or (
        isinstance(common, Partial) and common.dtype_name is None and common.dims is None
    )
