"""What `jax.jit` compiles a function anew for: the dtypes, weak types and shapes of its arguments, how they are passed, and static values."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from ...domain.arrays import AbstractArray
from ...domain.formatting import spell
from ...domain.values import PYTHON_NUMBERS
from ...identity import identity
from ..libraries.jax.transformations import constants_of, numbers_stay
from ..values import arrays
from ..values.conversions import as_array
from ..values.unknowns import is_unknown

if TYPE_CHECKING:
    from ..libraries.jax.transformations import Made

#: Static values that are compared by what they are, and those that are compared by which they are.
PLAIN = (*PYTHON_NUMBERS, str, bytes, type(None))
BY_IDENTITY = (types.FunctionType, types.BuiltinFunctionType, type)
#: Characters of a static value that are told.
LONGEST = 40


class Part(NamedTuple):
    """A part of the arguments: what it is, as `told`; static values that are told alike have other `details`.

    `array` is its abstract value; None for a value that is no array.
    """

    told: str
    array: AbstractArray | None = None
    details: Any = None
    by_name: bool = False


#: What a call is entered with: each part of its arguments, by paths such as ``params['w']``.
Signature = Mapping[str, Part]


class NotKnownError(Exception):
    """A part of the arguments is not exactly known."""


def signature_of(made: Made, args: list[Any], kwargs: dict[str, Any]) -> Signature | None:
    """What a jitted function is entered with; None where that is not exactly known."""
    try:
        return dict(_parts(made, args, kwargs))
    except NotKnownError:
        return None


def _parts(made: Made, args: list[Any], kwargs: dict[str, Any]) -> Iterator[tuple[str, Part]]:
    positions, names = constants_of(made, len(args), kwargs)
    parameters = _parameters(made)
    static = {*names, *(parameters[i] for i in positions if i < len(parameters))}
    are_static = numbers_stay(made.value)
    for i, arg in enumerate(args):
        name = parameters[i] if i < len(parameters) else f"argument {i + 1}"
        yield from [(name, _constant(arg))] if i in positions else _of_tree(name, arg, are_static)
    for name, arg in kwargs.items():
        each = [(name, _constant(arg))] if name in static else _of_tree(name, arg, are_static)
        yield from ((path, part._replace(by_name=True)) for path, part in each)


def _parameters(made: Made) -> list[str]:
    """The names of the parameters that arguments without a name are passed to."""
    try:
        signature = inspect.signature(made.function)
    except (TypeError, ValueError):
        return []
    return [each.name for each in signature.parameters.values() if each.kind < each.VAR_POSITIONAL]


def _of_tree(name: str, tree: Any, are_static: bool) -> Iterator[tuple[str, Part]]:
    """The leaves of an argument; `are_static` if those that are no arrays are constants to the function."""
    try:
        leaves, structure = jax.tree_util.tree_flatten_with_path(tree, is_leaf=is_unknown)
    except Exception:  # code of registered classes may raise anything: then no more is known
        raise NotKnownError from None
    kind = structure.node_data()
    if tree is None:
        yield name, Part("None")
    elif kind is not None:
        yield name, Part(f"a {kind[0].__name__}", details=identity(kind[0]))
    for path, leaf in leaves:
        yield name + jax.tree_util.keystr(path), _of_leaf(leaf, are_static)


def _of_leaf(leaf: Any, are_static: bool) -> Part:
    is_number = type(leaf) in PYTHON_NUMBERS
    if is_number or isinstance(leaf, (np.ndarray, np.generic)):
        if are_static and not isinstance(leaf, np.ndarray):
            return _constant(leaf)
        dtype = jax.dtypes.canonicalize_dtype(type(leaf) if is_number else leaf.dtype).name
        return _array(AbstractArray.of(dtype, is_number, np.shape(leaf)))
    known = arrays.known_of(leaf if are_static else as_array(leaf))
    if known is not None:
        return _array(known)
    if are_static:
        return _constant(leaf)
    raise NotKnownError


def _array(known: AbstractArray) -> Part:
    sizes = known.shape
    if (
        known.dtype is None
        or known.weak is None
        or sizes is None
        or any(type(size) is not int for size in sizes)
    ):
        raise NotKnownError
    known = AbstractArray.of(known.dtype, known.weak and not arrays.is_never_weak(known.dtype), sizes)
    return Part(spell(known), known)


def _constant(value: Any) -> Part:
    """A static value."""
    if isinstance(value, BY_IDENTITY):
        return Part(value.__name__, details=identity(value))
    if is_unknown(value) or arrays.is_jax(value):
        raise NotKnownError
    if type(value) is tuple:
        parts = [*map(_constant, value)]
        return Part(_short(f"({', '.join(part.told for part in parts)})"), details=(*parts,))
    if type(value) in PLAIN or isinstance(value, np.dtype):
        told = repr(value) if type(value) in PLAIN else str(value)
        return Part(_short(told), details=told)
    # Whether two objects are equal may be for the program to say: then they are taken for equal.
    is_itself = inspect.getattr_static(type(value), "__eq__") is vars(object)["__eq__"]
    return Part(f"a {type(value).__name__}", details=identity(value) if is_itself else None)


def _short(told: str) -> str:
    return told if len(told) <= LONGEST else f"{told[:LONGEST]} ..."
