"""Layers of libraries that are made with sizes that are not known."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ....sampling.tables.sizes import LAYER_FAMILIES
from ...values import arrays
from ...values.objects import Generalization
from ...values.unknowns import UNKNOWN, AbstractScalar, is_dim, is_scalar, is_unknown
from .. import registry
from ..calls.choices import anything_in, unknown_in
from ..calls.sizes import leaves
from ..calls.trials import Trials, with_sizes_of_numbers

if TYPE_CHECKING:
    from ...interpreter import Interpreter


def is_class(f: Any) -> bool:
    """Whether `f` is a class of layers."""
    return isinstance(f, type) and registry.is_in(f.__module__, "layers")


def has_sizes(args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether unknown sizes are among the arguments."""
    return any(map(is_dim, leaves([args, kwargs])))


def make(interpreter: Interpreter, cls: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A layer with unknown sizes in its parts; unknown if it depends on more than sizes."""
    args, kwargs = _with_declared(cls, args, kwargs)
    unknown = unknown_in([args, kwargs])
    if anything_in([args, kwargs]) or not all(is_scalar(each) for each in unknown):
        interpreter.havoc([*args, *kwargs.values()])
        return UNKNOWN
    if any(each.has(cls) for each in registry.parts("scopes")) or not (unknown or has_sizes(args, kwargs)):
        return interpreter.real(cls, args, kwargs)
    with interpreter.within(speculative=True, trying=True):
        made = _made(Trials(interpreter, cls, None, args, kwargs), unknown)
    interpreter.may_raise_epoch += 1
    if made is UNKNOWN:
        interpreter.havoc([*args, *kwargs.values()])
    return made


def _with_declared(cls: Any, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments, with unknown ints where the signature asks for ints, and any key for one that is not known."""
    try:
        bound = inspect.signature(cls.__init__).bind(None, *args, **kwargs)
    except (TypeError, ValueError):
        return args, kwargs
    parameters = bound.signature.parameters
    key = registry.key_of(cls)
    for name, value in bound.arguments.items():
        if name == key and is_unknown(value):
            bound.arguments[name] = arrays.array("key<fry>", False, ())
        elif value is UNKNOWN and parameters[name].annotation in (int, "int"):
            bound.arguments[name] = AbstractScalar(int)
    return list(bound.args[1:]), bound.kwargs


def _made(trials: Trials, unknown: list[Any]) -> Any:
    """What is common to the layers that are made with several numbers for the sizes."""
    arguments = with_sizes_of_numbers(trials.arguments)
    numbers = {str(arrays.size_of(each)): each for each in unknown if each.kind is int}
    for leaf in leaves(arguments):
        if is_dim(leaf):
            numbers.setdefault(str(leaf), leaf)
    for family in LAYER_FAMILIES:
        tables = [{symbol: size * (i + 1) for i, symbol in enumerate(numbers)} for size in family]
        first = len(trials.results)
        accepted = [table for table in tables if trials.try_with(arguments, table)]
        if len(accepted) > 1:
            tried = [(number, [table[symbol] for table in accepted]) for symbol, number in numbers.items()]
            made = Generalization(tried).of(trials.results[first:])
            trials.commit()
            return made
    return UNKNOWN
