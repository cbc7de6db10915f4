"""What the values of an evaluation are, as data that other processes read: arrays, and tuples, lists and dicts of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import jax

from ..domain.arrays import AbstractArray, confirmed
from ..domain.dims import Dim
from ..domain.values import (
    Array,
    Call,
    Complex,
    Dict,
    Items,
    List,
    Own,
    Scalar,
    Static,
    Tuple,
    Unknown,
    Value,
    inside,
    transform,
)
from ..evaluation.protocol import OBJECT
from ..sampling import package
from ..sampling.objects import TYPES
from ..sampling.results import array_of, is_array
from ..sampling.sizes import written
from ..sampling.symbols import UNKNOWN
from .values.unknowns import AbstractScalar, Partial, is_dim

#: Finds the class of the program that a class is; None for others.
OwnClass = Callable[[type], Own | None]
#: Values that a tree is described with at most: larger ones are of a whole model, of which nobody reads the type.
MOST_VALUES = 200
CONTAINERS = (tuple, list, dict)


def known_of(value: Any) -> AbstractArray | None:
    """What is known of a value if it is an array of JAX, or one of the array layer, which has one of JAX inside."""
    if _is_of_layer(value):
        value = value.value
    if is_array(value):
        array = array_of(jax.typeof(value))
        return AbstractArray(array.dtypes, array.weak, array.shape)
    if isinstance(value, Partial):
        return replace(value.known, shape=value.dims and tuple(map(size_of, value.dims)))
    return None


def _is_of_layer(value: Any) -> bool:
    """Whether a value is an array of the array layer."""
    return isinstance(value, jax.Array) and str(type(value).__module__).partition(".")[0] == package.NAME


def size_of(dim: Any) -> Dim:
    """A size of a partly known array, as a fact has it."""
    if type(dim) is int or dim is None:
        return dim
    return None if UNKNOWN in str(dim) else written(dim)


def value_of(
    out: Any, own: OwnClass = lambda _: None, of_array: Callable[[AbstractArray], Array] | None = None
) -> Value:
    """An object of the interpreter as a value: unknown where it is more than arrays and Python's own plain objects.

    Args:
        out: the object.
        own: finds the class of the program that objects are of.
        of_array: says what is known of an array; None for what is certain of it.
    """
    if out is None or type(out) in (bool, str, int, float):
        return Static(out)
    if type(out) is complex:
        return Complex(out.real, out.imag)
    if is_dim(out):
        return Scalar("int")
    if isinstance(out, AbstractScalar):
        return Scalar(out.kind.__name__) if out.kind.__name__ in TYPES else Unknown()
    if type(out) in (list, tuple):
        return (List if type(out) is list else Tuple)(tuple(value_of(item, own, of_array) for item in out))
    if type(out) is dict:
        return Dict(tuple((value_of(key), value_of(item, own, of_array)) for key, item in out.items()))
    known = known_of(out)
    if known is not None:
        return (of_array or array_value)(known)
    cls = own(type(out))
    if cls is None:
        return Unknown()
    items = [value_of(item, own, of_array) for item in out] if isinstance(out, tuple) else []
    return Call(OBJECT, (cls, *items), {})


def array_value(known: AbstractArray) -> Array:
    """What is known of an array, as a value: whether it is weak is a part of the type of its dtype."""
    is_certain = known.dtype is not None and known.weak is not None
    return Array.of(known.dtype if is_certain else None, bool(is_certain and known.weak), known.shape)


def _declared(known: AbstractArray) -> Array:
    """An array as an annotation has it: one that may be weak satisfies it as well."""
    return Array.of(known.dtype, bool(known.weak), known.shape)


def tree_of(value: Any, own: OwnClass) -> Value | None:
    """What is known of a tuple, list or dict, or an object of the program; None for other values, and where there is no array in it."""
    if not (isinstance(value, CONTAINERS) or own(type(value))) or _size(value) > MOST_VALUES:
        return None
    tree = value_of(value, own)
    return tree if any(isinstance(part, (Array, Call)) for part in inside(tree)) else None


def _size(value: Any, most: int = MOST_VALUES) -> int:
    """How many values there are in a container, as far as that is not more than it may be."""
    if not isinstance(value, CONTAINERS):
        return 1
    count = 1
    for item in value.values() if isinstance(value, dict) else value:
        if count > most:
            break
        count += _size(item, most - count)
    return count


def arrays_in(tree: Value) -> Iterator[Array]:
    """The arrays in a tree."""
    return (part for part in inside(tree) if isinstance(part, Array))


def with_arrays(tree: Value, change: Callable[[Array], Array]) -> Value:
    """A tree with a change made to each array in it."""
    return transform(tree, lambda part: change(part) if isinstance(part, Array) else part)


def confirmed_tree(tree: Value, actual: Value, sizes: Mapping[str, int]) -> Value:
    """`tree` without what another walk contradicts, in which the names of sizes stood for these numbers."""
    match tree, actual:
        case Array(), Array():
            return _declared(confirmed(tree, actual, sizes))
        case Items(), Items() if type(tree) is type(actual) and len(tree.items) == len(actual.items):
            pairs = zip(tree.items, actual.items, strict=True)
            return replace(tree, items=tuple(confirmed_tree(*pair, sizes) for pair in pairs))
        case Call(), Call() if len(tree.args) == len(actual.args):
            pairs = zip(tree.args, actual.args, strict=True)
            return replace(tree, args=tuple(confirmed_tree(*pair, sizes) for pair in pairs))
        case Dict(), Dict() if [key for key, _ in tree.pairs] == [key for key, _ in actual.pairs]:
            items = zip(tree.pairs, actual.pairs, strict=True)
            return Dict(tuple((key, confirmed_tree(item, other, sizes)) for (key, item), (_, other) in items))
    return tree if tree == actual else Unknown()
