"""Makes Python objects of values: the arguments of a call, and the call itself."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from ..domain.dims import Dim
from ..domain.values import (
    PYTHON_NUMBERS,
    Array,
    Builtin,
    Call,
    Complex,
    Dict,
    Dots,
    DType,
    Key,
    Lambda,
    List,
    Named,
    Parameter,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Value,
    mentions_layer,
)
from .errors import Inconclusive
from .names import jax_object, layer, resolve
from .tables.limits import MOST_COMPUTED_ITEMS

#: The kinds of random keys, by the names of their dtypes.
KEYS = {"key<fry>": "threefry2x32", "key<rbg>": "rbg", "key<urbg>": "unsafe_rbg"}
TYPES: dict[str, type] = {kind.__name__: kind for kind in PYTHON_NUMBERS}
LEAVES = "leaves of the call"
#: What a value is made from: the arrays of the call, and the parameters of the functions that it is in.
Scope = dict[str, Any]
#: Makes an object when the call is evaluated.
Maker = Callable[[Scope], Any]


class Builder:
    """Makes the Python object of one value: its arrays first, as leaves, the rest when the call is evaluated.

    Args:
        dim: reads a size.
        dtype: replaces the dtype of every array, unless it is None.
        numbers: makes so many numbers for arrays that are really computed with; None for abstract arrays.
    """

    def __init__(
        self,
        value: Value,
        dim: Callable[[Dim], Any],
        dtype: str | None = None,
        numbers: Callable[[int], Any] | None = None,
    ) -> None:
        self.dim = dim
        self.dtype = dtype
        self.numbers = numbers
        self.of_layer = mentions_layer(value)
        self.leaves: list[Any] = []
        self.make = self.build(value)

    def build(self, value: Value) -> Maker:
        """How to make the object that `value` stands for."""
        kind = type(value)
        if kind in _CONSTANTS:
            return constant(_CONSTANTS[kind](value))
        if kind in _BUILD:
            return _BUILD[kind](self, value)
        raise Inconclusive(f"a value of kind {value.tag!r}")

    def of_array(self, value: Array) -> Maker:
        leaf = self.leaf(str(value.dtype), bool(value.weak), value.shape or ())
        if not value.layer:
            return leaf
        array = layer().Array
        return lambda scope: array(value=leaf(scope))

    def of_scalar(self, value: Scalar) -> Maker:
        import jax

        if self.of_layer:  # to which a Python scalar is not what an array of no dims is
            raise Inconclusive("a Python scalar of unknown value")
        dtype = jax.dtypes.canonicalize_dtype(TYPES[value.kind])
        return self.leaf(dtype.name, value.kind != "bool", ())

    def of_items(self, value: Tuple | List) -> Maker:
        items = [self.build(item) for item in value.items]
        container = tuple if isinstance(value, Tuple) else list
        return lambda scope: container(item(scope) for item in items)

    def of_dict(self, value: Dict) -> Maker:
        pairs = [(self.build(key), self.build(item)) for key, item in value.pairs]
        return lambda scope: {key(scope): item(scope) for key, item in pairs}

    def of_slice(self, value: Slice) -> Maker:
        parts = [self.build(part) for part in (value.start, value.stop, value.step)]
        return lambda scope: slice(*(part(scope) for part in parts))

    def of_lambda(self, value: Lambda) -> Maker:
        body = self.build(value.body)
        return lambda scope: lambda *args: body({**scope, **dict(zip(value.names, args, strict=True))})

    def of_call(self, value: Call) -> Maker:
        args = [self.build(arg) for arg in value.args]
        kwargs = {name: self.build(arg) for name, arg in value.kwargs.items()}
        if value.function == "value":  # what the argument stands for is what is called
            called = args.pop(0)
        else:
            function = resolve(value.function)
            called = lambda scope: function
        return lambda scope: called(scope)(
            *(arg(scope) for arg in args), **{name: arg(scope) for name, arg in kwargs.items()}
        )

    def leaf(self, name: str, weak: bool, dims: tuple[Dim, ...]) -> Maker:
        """An array, with which the whole call is traced."""
        import jax
        import jax.numpy as jnp

        shape = tuple(self.dim(d) for d in dims)
        index = len(self.leaves)
        if name.startswith("key<"):
            self.leaves.append(
                jax.ShapeDtypeStruct(shape, named_dtype(name))  # abstract: nothing is compiled
                if self.numbers is None
                else jnp.broadcast_to(_key(name), shape)
            )
        elif self.numbers is None:
            struct = jax.ShapeDtypeStruct(shape, jnp.dtype(self.dtype or name), weak_type=weak)
            self.leaves.append(struct)
        else:
            size = math.prod(shape)
            if size > MOST_COMPUTED_ITEMS:
                raise Inconclusive("too many numbers")
            array = self.numbers(size).reshape(shape).astype(jnp.dtype(name))
            self.leaves.append(weakly(jnp.asarray(array)) if weak else jnp.asarray(array))
        return lambda scope: scope[LEAVES][index]


def constant(made: Any) -> Maker:
    return lambda scope: made


def named_dtype(name: str) -> Any:
    """The dtype of this name, which NumPy does not know where it is one of random keys."""
    import jax
    import jax.numpy as jnp

    return jax.eval_shape(functools.partial(_key, name)).dtype if name.startswith("key<") else jnp.dtype(name)


def _key(dtype: str) -> Any:
    import jax

    return jax.random.key(0, impl=KEYS[dtype])


def dtype_of(value: DType) -> Any:
    return named_dtype(value.name)


#: What builds a value that is more than a constant, by its class.
_BUILD: dict[type[Value], Callable[[Builder, Any], Maker]] = {
    Array: Builder.of_array,
    Key: lambda builder, key: builder.leaf("key<fry>", False, ()),
    Scalar: Builder.of_scalar,
    Size: lambda builder, size: constant(builder.dim(size.expression)),
    Tuple: Builder.of_items,
    List: Builder.of_items,
    Dict: Builder.of_dict,
    Slice: Builder.of_slice,
    Lambda: Builder.of_lambda,
    Parameter: lambda builder, parameter: lambda scope: scope[parameter.name],
    Call: Builder.of_call,
}
#: The objects that values without others in them stand for, by the value's class.
_CONSTANTS: dict[type[Value], Callable[[Any], Any]] = {
    Static: lambda static: static.value,
    Complex: lambda number: complex(number.real, number.imag),
    DType: dtype_of,
    Builtin: lambda builtin: TYPES[builtin.name],
    Dots: lambda _: Ellipsis,
    Named: lambda named: jax_object(named.path),
}


def weakly(array: Any) -> Any:
    """A weakly typed array of JAX with these numbers, which no public function makes."""
    try:
        from jax._src.lax.lax import _convert_element_type
    except ImportError:
        raise Inconclusive("no weakly typed arrays can be made") from None
    return _convert_element_type(array, weak_type=True)
