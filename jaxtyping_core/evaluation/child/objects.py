"""Makes Python objects of values: the arguments of a call, and the call itself."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from .names import jax_object, layer, resolve
from .verdicts import Undecided

#: The kinds of random keys, by the names of their dtypes.
KEYS = {"key<fry>": "threefry2x32", "key<rbg>": "rbg", "key<urbg>": "unsafe_rbg"}
#: Calls on more numbers than this are never run on actual numbers.
MOST_NUMBERS = 20_000
LEAVES = "leaves of the call"
#: What a value is made from: the arrays of the call, and the parameters of the functions that it is in.
Scope = dict[str, Any]


class Builder:
    """Makes Python objects of values: arrays first, as leaves, the rest when the call is evaluated."""

    def __init__(
        self,
        dim: Callable[[Any], Any],
        dtype: str | None,
        numbers: Callable[[int], Any] | None,
        of_layer: bool,
    ) -> None:
        self.dim = dim
        self.dtype = dtype
        self.numbers = numbers
        self.of_layer = of_layer
        self.leaves: list[Any] = []

    def build(self, value: list[Any]) -> Callable[[Scope], Any]:
        """How to make the object that `value` stands for."""
        import jax

        tag, *rest = value
        if tag == "array":
            return self.leaf(*rest)
        if tag == "key":
            return self.leaf("key<fry>", False, [])
        if tag == "scalar":
            if self.of_layer:  # to which a Python scalar is not what an array of no dims is
                raise Undecided("a Python scalar of unknown value")
            default = {"bool": "bool", "int": int, "float": float, "complex": complex}[rest[0]]
            return self.leaf(jax.dtypes.canonicalize_dtype(default).name, rest[0] != "bool", [])
        if tag in ("tuple", "list"):
            items = [self.build(item) for item in rest[0]]
            container = tuple if tag == "tuple" else list
            return lambda scope: container(item(scope) for item in items)
        if tag == "dict":
            pairs = [(self.build(key), self.build(item)) for key, item in rest[0]]
            return lambda scope: {key(scope): item(scope) for key, item in pairs}
        if tag == "slice":
            parts = [self.build(part) for part in rest]
            return lambda scope: slice(*(part(scope) for part in parts))
        if tag == "call":
            return self.call(*rest)
        if tag == "lambda":
            names, body = rest[0], self.build(rest[1])
            return lambda scope: lambda *given: body({**scope, **dict(zip(names, given, strict=True))})
        if tag == "layer":
            array, inner = layer().Array, self.build(rest[0])
            return lambda scope: array(_value=inner(scope))
        if tag == "parameter":
            return lambda scope: scope[rest[0]]
        constant = self.dim(rest[0]) if tag == "dim" else constant_of(tag, rest)
        return lambda scope: constant

    def call(self, function: str, args: list[Any], kwargs: dict[str, Any]) -> Callable[[Scope], Any]:
        if function == "value":  # what the argument stands for is what is called
            called = self.build(args[0])
            args = args[1:]
        else:
            found = resolve(function)
            called = lambda scope: found
        positional = [self.build(arg) for arg in args]
        named = {name: self.build(arg) for name, arg in kwargs.items()}
        return lambda scope: called(scope)(
            *(arg(scope) for arg in positional), **{name: arg(scope) for name, arg in named.items()}
        )

    def leaf(self, name: str, weak: bool, dims: list[Any]) -> Callable[[Scope], Any]:
        import jax
        import jax.numpy as jnp

        shape = tuple(self.dim(d) for d in dims)
        index = len(self.leaves)
        if name.startswith("key<"):
            make = functools.partial(jax.random.key, 0, impl=KEYS[name])
            self.leaves.append(
                jax.ShapeDtypeStruct(shape, jax.eval_shape(make).dtype)  # abstract: nothing is compiled
                if self.numbers is None
                else jnp.broadcast_to(make(), shape)
            )
        elif self.numbers is None:
            struct = jax.ShapeDtypeStruct(shape, jnp.dtype(self.dtype or name), weak_type=weak)
            self.leaves.append(struct)
        else:
            size = math.prod(shape)
            if size > MOST_NUMBERS:
                raise Undecided("too many numbers")
            array = self.numbers(size).reshape(shape).astype(jnp.dtype(name))
            self.leaves.append(weakly(jnp.asarray(array)) if weak else jnp.asarray(array))
        return lambda scope: scope[LEAVES][index]


def constant_of(tag: str, rest: list[Any]) -> Any:
    """The Python object that a value without arrays stands for."""
    import jax.numpy as jnp

    if tag == "static":
        return rest[0]
    if tag == "complex":
        return complex(*rest)
    if tag == "dtype":
        return jnp.dtype(rest[0])
    if tag == "builtin":
        return {"bool": bool, "int": int, "float": float, "complex": complex}[rest[0]]
    if tag == "ellipsis":
        return Ellipsis
    if tag == "named":
        return jax_object(rest[0])
    raise Undecided(f"a value of kind {tag!r}")


def weakly(array: Any) -> Any:
    """A weakly typed array of JAX with these numbers, which no public function makes."""
    try:
        from jax._src.lax.lax import _convert_element_type
    except ImportError:
        raise Undecided("no weakly typed arrays can be made") from None
    return _convert_element_type(array, weak_type=True)
