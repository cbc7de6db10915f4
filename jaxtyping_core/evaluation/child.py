"""The evaluation child: reads requests on standard input, answers on standard output (see protocol.py).

Run as ``python -E -P child.py``: isolated from the environment's Python settings and the current folder, so
that a checked project's own ``jax.py`` is never imported. Needs only jax; with ``jaxtyping_core`` beside it, the
array layer too. Ends when its input ends, hence with its parent. It evaluates functions of ``jax`` and of the layer
(and ``operator`` on arrays) and nothing else, and none that reads or writes files.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import itertools
import json
import math
import operator
import os
import re
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

SYMBOL = re.compile(r"[A-Za-z_]\w*")
UNKNOWN = "unknown_"  # prefix of every fresh symbol
UNKNOWN_DIM = f"{UNKNOWN}dim_"  # ... that stands for an unknown dim
UNKNOWN_INT = f"{UNKNOWN}int_"  # ... that stands for a Python int of unknown value
DIM_FUNCTIONS = {
    "max": max,
    "min": min,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}
#: Sizes that stand in for symbols where symbolic evaluation gives up: distinct, so that a mismatch of two
#: symbols stays one. The large ones have many divisors, so that a reshape or a split does not fail for a
#: size that some value of the symbol would allow; the small ones show where a result stops following them
#: (a minimum of a symbol and a number), and the order changes from one to the next, so that a minimum is not taken for one of its parts.
WITNESSES = (
    [240 * p for p in (11, 17, 23, 31, 41, 47, 59, 67)],
    [240 * p for p in (71, 61, 53, 43, 37, 29, 19, 13)],
    [5, 3, 7, 2, 13, 11, 19, 17],
    [2, 1, 3, 1, 2, 1, 3, 1],
    [1, 2, 1, 3, 1, 2, 1, 3],
)
#: How many of these choices have no size 1, which fits every other.
ABOVE_ONE = 3
#: The same for Python ints of unknown value, which count axes and steps more often than sizes.
INT_WITNESSES = ([2, 3, 4, 5, 6, 7, 8, 9], [3, 5, 7, 9, 11, 13, 15, 17], *([n] * 8 for n in (1, 2, 1)))
#: Values that are tried for a Python scalar of unknown value where an array of no dims does not do.
SCALARS: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "int": (0, 1, -1, 2, 3, 5),
    "float": (0.5, 2.0, -1.0, 3.0),
    "complex": (1j, 2.0 - 1.0j, 0j),
}
#: Dtypes that are tried for an unknown one; each is one of a kind to some function of JAX.
DTYPES = (
    *("float32", "int32", "bool", "complex64", "bfloat16", "uint8", "float16", "int8", "uint32"),
    *("int64", "float64", "complex128"),
)
#: How many dims are tried for an unknown number of them.
RANKS = range(5)
#: Errors of these types, raised for abstract arguments, say that the call is wrong.
REFUSALS = (TypeError, ValueError, IndexError, ZeroDivisionError, AssertionError, KeyError)
#: ... unless the words say that only tracing is in the way: the call may be right on concrete values.
TRACING = re.compile(r"trace[rd]|concrete|abstract|symbolic|inconclusive|static", re.IGNORECASE)
#: Errors that say nothing about a call: the same call may be answered by a process that has more of something.
STARVED = (MemoryError, OSError, ImportError, SystemError)
#: ... as do JAX's and Python's own, by their words.
SHORTAGE = re.compile(r"RESOURCE_EXHAUSTED|[Oo]ut of memory|can't start new thread|bad_alloc")
#: How JAX's messages name an array whose values it does not know.
TRACER = re.compile(r"\w*Tracer\(~?(\w+\[[^\]]*\])\)")
#: How they say where a function is defined: a lambda of the program's is made here.
PLACE = re.compile(r" at \S+\.py:\d+")
#: Functions that work on files, even on abstract arguments; loading may also run code in the file.
ON_FILES = frozenset(
    f"jax.numpy.{name}" for name in ("fromfile", "load", "save", "savez", "savetxt", "loadtxt")
)
#: Functions that accept when they are traced what they refuse when they are lowered, and its words.
LOWERED = frozenset({"jax.lax.reshape"})
UNLOWERED = re.compile(r"Cannot lower jaxpr with verifier errors:\s*(.*)")
#: The path of the array layer's functions starts like this.
LAYER = "jaxtyping_core.numpy."
#: Functions that change what later calls give start like this.
STATEFUL = ("register", "set_", "clear_", "disable_", "enable_", "debug", "print")
#: Calls on more numbers than this are never run on actual numbers.
MOST_NUMBERS = 20_000
#: How many choices of sizes are tried for unknown ones.
MOST_CHOICES = 30
#: Bytes of memory that evaluation may take; JAX itself takes a twentieth of that.
MOST_MEMORY = 3 << 30


class Refused(Exception):
    """JAX refuses the call."""


class Undecided(Exception):
    """Abstract evaluation cannot tell."""


def inside(value: Any) -> Iterator[Any]:
    """A value and every value in it."""
    yield value
    tag, *rest = value
    if tag in ("tuple", "list"):
        children = rest[0]
    elif tag == "dict":
        children = [part for pair in rest[0] for part in pair]
    elif tag == "slice":
        children = rest
    elif tag == "call":
        children = [*rest[1], *rest[2].values()]
    elif tag == "lambda":
        children = [rest[1]]
    elif tag == "layer":
        children = rest
    else:
        return
    for child in children:
        yield from inside(child)


def transform(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with `change` made to every value in it, innermost first."""
    tag, *rest = value
    if tag in ("tuple", "list"):
        value = [tag, [transform(item, change) for item in rest[0]]]
    elif tag == "dict":
        value = [tag, [[transform(part, change) for part in pair] for pair in rest[0]]]
    elif tag == "slice":
        value = [tag, *(transform(part, change) for part in rest)]
    elif tag == "call":
        keywords = {name: transform(part, change) for name, part in rest[2].items()}
        value = [tag, rest[0], [transform(part, change) for part in rest[1]], keywords]
    elif tag == "lambda":
        value = [tag, rest[0], transform(rest[1], change)]
    elif tag == "layer":
        value = [tag, transform(rest[0], change)]
    return change(value)


def symbols_of(value: Any) -> list[str]:
    """The symbols in the dims in `value`, in order of appearance."""
    found: dict[str, None] = {}
    for tag, *rest in inside(value):
        dims = rest[2] if tag == "array" else rest if tag == "dim" else ()
        for dim in dims or ():
            if isinstance(dim, str):
                found.update(dict.fromkeys(s for s in SYMBOL.findall(dim) if s not in DIM_FUNCTIONS))
    return list(found)


def has_unknown(value: Any) -> bool:
    """Whether a part is not known: an error may then be the unknown part's."""
    for tag, *rest in inside(value):
        if tag == "scalar" or (tag == "array" and (None in rest or None in rest[2])):
            return True
    return False


def mentions_layer(value: Any) -> bool:
    """Whether the array layer takes part in a call."""
    return any(
        part[0] == "layer" or (part[0] in ("call", "named") and part[1].startswith(LAYER))
        for part in inside(value)
    )


def name_unknowns(value: Any, ints: bool = False) -> Any:
    """`value` with a fresh symbol for every unknown dim and, if `ints`, for every unknown Python int."""
    counter = iter(range(10**6))

    def change(part: Any) -> Any:
        if part[0] == "array":
            return [*part[:3], [f"{UNKNOWN_DIM}{next(counter)}" if d is None else d for d in part[3]]]
        return ["dim", f"{UNKNOWN_INT}{next(counter)}"] if ints and part == ["scalar", "int"] else part

    return transform(value, change)


class Call:
    """One call, evaluated under a way to read dims (symbolic or concrete)."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.symbols = symbols_of(value)

    def evaluate(
        self,
        dim: Callable[[Any], Any],
        dtype: str | None = None,
        numbers: Callable[[int], Any] | None = None,
    ) -> Any:
        """The encoded result. `dtype` replaces the dtype of every array; `numbers` makes so many numbers for
        arrays that are really computed with.

        Raises:
            Refused: JAX refuses the call.
            Undecided: the call needs values.
        """
        import jax

        builder = Builder(dim, dtype, numbers, mentions_layer(self.value))
        encoded: list[Any] = []

        def run(*xs: Any) -> None:
            encoded.append(encode(made({LEAVES: xs})))

        made = builder.build(self.value)
        try:
            if numbers is None:
                jax.eval_shape(run, *builder.leaves)
                if self.value[1] in LOWERED and not self.symbols:
                    jax.jit(lambda *xs: made({LEAVES: xs})).lower(*builder.leaves)
            else:
                run(*builder.leaves)
        except Exception as error:  # whatever JAX raises becomes an answer
            raise verdict(error, symbolic=bool(self.symbols) or numbers is not None) from error
        return encoded[0]


#: What a value is made from: the arrays of the call, and the parameters of the functions that it is in.
Scope = dict[str, Any]
LEAVES = "leaves of the call"


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


#: The kinds of random keys, by the names of their dtypes.
KEYS = {"key<fry>": "threefry2x32", "key<rbg>": "rbg", "key<urbg>": "unsafe_rbg"}


def weakly(array: Any) -> Any:
    """A weakly typed array of JAX with these numbers, which no public function makes."""
    try:
        from jax._src.lax.lax import _convert_element_type
    except ImportError:
        raise Undecided("no weakly typed arrays can be made") from None
    return _convert_element_type(array, weak_type=True)


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


def resolve(function: str) -> Callable[..., Any]:
    """What a request's `function` calls."""
    kind, _, name = function.rpartition(":")
    if kind in ("method", "update", "attribute") and name.startswith("_") and name not in DUNDERS:
        raise Undecided(f"{name} is private")
    if kind == "method":
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    if kind == "attribute":
        return lambda x: getattr(x, name)
    if kind == "update":
        return lambda x, index, *args, **kwargs: getattr(x.at[index], name)(*args, **kwargs)
    if kind == "builtin" and name in BUILTINS:
        return BUILTINS[name]
    if function.startswith("operator."):
        found: Callable[..., Any] = getattr(operator, function.removeprefix("operator."))
    else:
        found = jax_object(function)
    return found


#: The functions of Python that arrays answer.
BUILTINS: dict[str, Callable[..., Any]] = {
    **{f.__name__: f for f in (abs, divmod, pow, round, len, float, int, bool, complex, sum, sorted)},
    **{f.__name__: f for f in (tuple, list, dict, max, min)},
    "reversed": lambda x: list(reversed(x)),
    "next": lambda x: x[0],
}
#: The methods of arrays that operators and functions of Python call; other private names are not evaluated.
DUNDERS = frozenset(
    f"__{name}__"
    for name in (
        *("getitem", "len", "iter", "reversed", "abs", "round", "neg", "pos", "invert"),
        *("divmod", "rdivmod", "bool", "int", "float", "complex", "index"),
    )
)


def layer() -> Any:
    """The array layer, ``jaxtyping_core.numpy``.

    Raises:
        Undecided: the interpreter does not have it.
    """
    try:
        import jaxtyping_core.numpy as found
    except ImportError as error:
        raise Undecided(str(error)) from None
    found.set_promotion(Layer.system)
    return found


class Layer:
    """What the array layer is evaluated under."""

    system = "jax"


def layer_function(path: str) -> Any:
    """The function of the array layer that is called `path` below it."""
    module, _, name = path.rpartition(".")
    found = getattr(layer(), module) if module in ("fft", "linalg") else layer()
    if name in found.FUNCTIONS or path in ("can_cast", "promote_types", "result_type"):
        return getattr(found, name)
    raise Undecided(f"{path} is no function of the array layer")


def jax_object(path: str) -> Any:
    """The public object of jax, or the function of the array layer, at the dotted `path`."""
    if path.startswith(LAYER):
        return layer_function(path.removeprefix(LAYER))
    first, *rest = path.split(".")
    if first != "jax" or any(part.startswith("_") for part in rest):
        raise Undecided(f"{path} is not a public name of jax")
    if path in ON_FILES or rest[-1].startswith(STATEFUL):
        raise Undecided(f"{path} works on files, or is more than a function of its arguments")
    found: Any = importlib.import_module(first)
    for i, part in enumerate(rest):
        if not hasattr(found, part):
            try:
                importlib.import_module(".".join([first, *rest[: i + 1]]))
            except ImportError:
                raise Undecided(f"the installed jax has no {path}") from None
        found = getattr(found, part)
        # Some modules of jax have those that they import, such as `os`, among their public names.
        if isinstance(found, types.ModuleType) and found.__name__.partition(".")[0] != "jax":
            raise Undecided(f"{path} is not a name of jax")
    return found


def verdict(error: Exception, symbolic: bool) -> Exception:
    """What an exception out of JAX says about the call; `symbolic`, if it was made on stand-ins."""
    if isinstance(error, (Refused, Undecided)):
        return error
    if isinstance(error, STARVED) and not isinstance(error, ModuleNotFoundError):
        return error
    if SHORTAGE.search(str(error)):
        return MemoryError(str(error))
    message = TRACER.sub(r"\1", in_order(str(error).split("\nSee https://")[0].strip()))
    message = PLACE.sub("", message)
    if found := UNLOWERED.match(message):
        return Refused(found[1])
    own = type(error).__module__.partition(".")[0] in ("jax", "jaxlib", "builtins", "jaxtyping_core")
    tracing = type(error).__module__ == "jax.errors" or TRACING.search(message)
    if type(error) is OverflowError and "is out of bounds for" in message:  # the array layer's
        return Refused(message)
    # With symbols, it says what JAX cannot do with a symbol, not what it refuses.
    refusals = REFUSALS if symbolic else (*REFUSALS, NotImplementedError)
    if isinstance(error, refusals) and own and message and not tracing:
        return Refused(message)
    return Undecided(f"{type(error).__name__}: {message}")


def in_order(message: str) -> str:
    """`message` with the dtypes that it lists sorted: JAX keeps them in a set, in a different order each time."""

    def sort(found: re.Match[str]) -> str:
        return "subtypes of " + ", ".join(sorted(found[1].split(", ")))

    return re.sub(r"subtypes of (\w+(?:, \w+)*)", sort, message)


def encode(out: Any) -> Any:
    """The result of a call in the protocol's encoding."""
    import numpy as np

    if out is None or isinstance(out, (bool, str)) or type(out) in (int, float):
        return ["static", out]
    if type(out) is complex:
        return ["complex", out.real, out.imag]
    if isinstance(out, np.dtype) or (isinstance(out, type) and issubclass(out, np.generic)):
        return ["dtype", np.dtype(out).name]
    if isinstance(out, (tuple, list)):
        return ["list" if type(out) is list else "tuple", [encode(item) for item in out]]
    if type(out) is dict:
        return ["dict", [[encode(key), encode(item)] for key, item in out.items()]]
    if hasattr(out, "shape") and hasattr(out, "dtype") and is_array(out):
        aval = getattr(out, "aval", out)
        dims = [d if type(d) is int else written(d) for d in aval.shape]
        weak = bool(getattr(aval, "weak_type", False))
        return ["array", str(aval.dtype), weak, [None if UNKNOWN in str(d) else d for d in dims]]
    if type(out).__module__.startswith(LAYER) and type(out).__name__ == "Array":
        return ["layer", encode(out.value)]
    if "DimExpr" in type(out).__name__:
        return ["unknown"] if UNKNOWN in str(out) else ["dim", written(out)]
    return ["unknown"]


def is_array(out: Any) -> bool:
    """Whether `out` is an array of JAX; its NumPy arrays are what its annotations do not say."""
    import jax

    return isinstance(out, jax.Array)


def written(dim: Any) -> str:
    """A symbolic size as Python writes it: JAX writes powers as ``D^2``."""
    return str(dim).replace("^", "**")


def merge(results: list[Any], sizes: list[dict[str, int]]) -> Any:
    """What evaluations under different sizes (none, where something else differed) agree on."""
    first = results[0]
    if all(result == first for result in results) and not (sizes and sizes[0]):
        return first
    if any(result[0] == "layer" for result in results):
        inner = merge([result[1] if result[0] == "layer" else result for result in results], sizes)
        whole = all(result[0] == "layer" for result in results) and inner[0] == "array"
        return ["layer", inner] if whole else inner
    if any(result[0] != first[0] for result in results):
        return ["unknown"]
    if first[0] == "array":
        return merge_arrays(results, sizes)
    if first[0] in ("tuple", "list") and all(len(r[1]) == len(first[1]) for r in results):
        parts = zip(*(result[1] for result in results), strict=True)
        return [first[0], [merge(list(part), sizes) for part in parts]]
    if first[0] == "dict" and all([k for k, _ in r[1]] == [k for k, _ in first[1]] for r in results):
        columns = zip(*([item for _, item in result[1]] for result in results), strict=True)
        pairs = zip(first[1], columns, strict=True)
        return ["dict", [[key, merge(list(column), sizes)] for (key, _), column in pairs]]
    return first if all(result == first for result in results) else ["unknown"]


def merge_arrays(results: list[Any], sizes: list[dict[str, int]]) -> Any:
    """What is known of an array that is one of `results`."""
    _, dtype, weak, dims = results[0]
    if any(result[1:3] != [dtype, weak] for result in results):
        dtype, weak = None, False
    if dims is None or any(result[3] is None or len(result[3]) != len(dims) for result in results):
        return ["array", dtype, weak, None]
    columns = zip(*(result[3] for result in results), strict=True)
    return ["array", dtype, weak, [merge_dim(column, sizes) for column in columns]]


def merge_dim(column: tuple[int | str | None, ...], sizes: list[dict[str, int]]) -> int | str | None:
    """One dim under each choice of sizes: the same number, a symbol's size each time, or unknown."""
    if len(set(column)) == 1:
        return column[0]
    for symbol in sizes[0] if sizes else ():
        if not symbol.startswith(UNKNOWN) and all(d == s[symbol] for d, s in zip(column, sizes, strict=True)):
            return symbol
    return None


def symbolic_reader() -> Callable[[Any], Any]:
    from jax import export

    scope = export.SymbolicScope()

    def read(dim: Any) -> Any:
        if isinstance(dim, int):
            return dim
        try:
            return export.symbolic_shape(dim, scope=scope)[0]
        except ValueError:  # JAX's own notation has no parentheses: let Python do the arithmetic
            names = {s: export.symbolic_shape(s, scope=scope)[0] for s in SYMBOL.findall(dim)}
            return calculate(dim, names)

    return read


def concrete_reader(sizes: dict[str, int]) -> Callable[[Any], Any]:
    return lambda dim: dim if isinstance(dim, int) else calculate(dim, sizes)


def calculate(dim: str, names: dict[str, Any]) -> Any:
    """The value of an expression over sizes, which JAX or the plugin wrote, never a user."""
    return eval(dim, {**names, **DIM_FUNCTIONS, "__builtins__": {}})


def evaluate(function: str, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    value = ["call", function, args, kwargs]
    choices = list(complete(value))
    if len(choices) > 1:
        return {"result": of_several(choices)}
    try:
        return {"result": attempt(Call(name_unknowns(value)))}
    except Refused as refusal:
        if not has_unknown(value):
            return error(Call(value), str(refusal))
        problem: Exception = refusal
    except Undecided as undecided:
        problem = undecided
    for strategy in (with_symbolic_ints, with_actual_scalars, with_fitting_sizes, with_actual_numbers):
        try:
            return {"result": strategy(value)}
        except Refused as refusal:
            return error(Call(value), str(refusal))
        except Undecided:
            continue
    return {"unknown": str(problem)}


def error(call: Call, message: str) -> dict[str, Any]:
    return {"error": {"kind": kind_of_refusal(call, message), "message": message}}


def complete(value: Any) -> Iterator[Any]:
    """`value`, or copies of it with a choice of dtypes and ranks for those that are unknown."""
    arrays = [part for part in inside(value) if part[0] == "array"]
    dtypes: tuple[Any, ...] = DTYPES if any(array[1] is None for array in arrays) else (None,)
    ranks: tuple[Any, ...] = tuple(RANKS) if any(array[3] is None for array in arrays) else (None,)
    for number, (dtype, rank) in enumerate(itertools.product(dtypes, ranks)):
        counter = itertools.count(number)

        def change(part: Any, dtype: Any = dtype, rank: Any = rank, counter: Any = counter) -> Any:
            if part[0] != "array" or (part[1] is not None and part[3] is not None):
                return part
            dims = [None] * rank if part[3] is None else part[3]
            return ["array", part[1] or dtype, part[2], dims]

        yield transform(value, change)


def of_several(choices: list[Any]) -> Any:
    """What the accepted ones of some calls agree on.

    Raises:
        Undecided: that is nothing.
    """
    results = []
    for choice in choices:
        answer = evaluate(*choice[1:])
        if "result" in answer:
            results.append(answer["result"])
        elif "unknown" in answer:
            raise Undecided(answer["unknown"])
    if not results:
        raise Undecided("no dtype or rank that was tried is accepted")
    merged = merge(results, [])
    if len(results) == 1 and merged[0] == "array":  # one of its kind: others may be accepted, too
        return merged
    return merged


def with_symbolic_ints(value: Any) -> Any:
    """A Python int whose value is not known may be a size: then it is no array but a symbolic dim."""
    if ["scalar", "int"] not in inside(value):
        raise Undecided("there are no ints")
    try:
        return attempt(Call(name_unknowns(value, ints=True)))
    except Refused as refusal:
        raise Undecided(str(refusal)) from refusal


def with_actual_scalars(value: Any) -> Any:
    """What is known for each of some values of the Python scalars.

    Raises:
        Refused: JAX refuses all of them, in the same words.
    """
    kinds = {part[1] for part in inside(value) if part[0] == "scalar"}
    if not kinds:
        raise Undecided("there are no scalars")
    results, refusals, undecided = [], [], False
    for number in range(max(len(SCALARS[kind]) for kind in kinds)):
        counter = itertools.count(number)

        def change(part: Any, counter: Any = counter) -> Any:
            if part[0] != "scalar":
                return part
            values = SCALARS[part[1]]
            chosen = values[next(counter) % len(values)]
            return encode(chosen)

        try:
            results.append(attempt(Call(name_unknowns(transform(value, change)))))
        except Refused as refusal:
            refusals.append(str(refusal))
        except Undecided:
            undecided = True
    whole = not any(part[0] == "array" and None in part[3] for part in inside(value))
    if not results and len(set(refusals)) == 1 and not undecided and whole and "int" not in kinds:
        raise Refused(refusals[0])
    if not results or undecided:
        raise Undecided("no value that was tried is accepted")
    merged = merge(results, [])
    return merged if len(results) > 1 else without_sizes(merged)


def with_fitting_sizes(value: Any) -> Any:
    """What is known if unknown dims have sizes that others have: two must be equal, perhaps."""
    arrays = [part for part in inside(value) if part[0] == "array"]
    sizes = list(dict.fromkeys([*(d for array in arrays for d in array[3] if d is not None), 1]))
    unknown = sum(array[3].count(None) for array in arrays)
    if not 0 < len(sizes) ** unknown <= MOST_CHOICES or not unknown:
        raise Undecided("too many choices of sizes")
    results = []
    for chosen in itertools.product(sizes, repeat=unknown):
        given = iter(chosen)

        def change(part: Any, given: Any = given) -> Any:
            if part[0] != "array":
                return part
            return [*part[:3], [next(given) if d is None else d for d in part[3]]]

        try:
            results.append(attempt(Call(transform(value, change))))
        except Refused:
            continue
    if not results:
        raise Undecided("no size that was tried is accepted")
    merged = merge(results, [])
    return merged if len(results) > 1 else without_sizes(merged)


def without_sizes(result: Any) -> Any:
    """A result that one choice gave, as far as others would surely give it: its kind, dtypes and ranks."""

    def change(part: Any) -> Any:
        if part[0] == "array":
            return [*part[:3], [None] * len(part[3])]
        return ["unknown"] if part[0] in ("static", "complex", "dim") else part

    return transform(result, change)


def with_actual_numbers(value: Any) -> Any:
    """What a call that needs the numbers in its arrays gives for each of some choices of them."""
    import numpy as np

    if has_unknown(value) or symbols_of(value):
        raise Undecided("the sizes are not known")
    call = Call(value)
    results = []
    for numbers in (
        lambda size: np.zeros(size, int),
        lambda size: np.arange(size) % 2,
        lambda size: np.arange(size) % 3 + 1,
        lambda size: np.arange(size)[::-1] % 3,
    ):
        try:
            results.append(call.evaluate(concrete_reader({}), numbers=numbers))
        except Refused:  # for these numbers
            continue
    if len(results) < 3:
        raise Undecided("too few of the numbers that were tried are accepted")
    return merge([transform(result, forget_value) for result in results], [])


def forget_value(part: Any) -> Any:
    """A Python value that was computed from made-up numbers: only its type is known."""
    if part[0] == "complex":
        return ["scalar", "complex"]
    is_number = part[0] == "static" and type(part[1]).__name__ in SCALARS
    return ["scalar", type(part[1]).__name__] if is_number else part


def attempt(call: Call) -> Any:
    """The result with symbols for dims; where that fails, what two choices of sizes agree on.

    Raises:
        Refused: JAX refuses the call for every choice.
        Undecided: abstract evaluation cannot tell.
    """
    try:
        result = call.evaluate(symbolic_reader())
    except (Refused, Undecided) as first:
        if not call.symbols:
            raise
        problem: Exception = first
    else:
        return confirmed(result, call) if call.symbols else result
    accepted = []
    for number, sizes in enumerate(witnesses(call)):
        try:
            accepted.append((number, call.evaluate(concrete_reader(sizes)), sizes))
        except Refused:
            continue
    # A symbol may stand for 1, but what is right for nothing else is not what was meant.
    if all(number >= ABOVE_ONE for number, _, _ in accepted):
        raise problem  # in the symbolic attempt's words: they have the user's own dim names
    if [number for number, _, _ in accepted][:2] != [0, 1]:
        raise Undecided("the answer depends on the sizes")
    return merge([result for _, result, _ in accepted], [sizes for _, _, sizes in accepted])


def confirmed(result: Any, call: Call) -> Any:
    """What of a symbolic result holds for small sizes, too: some functions have special cases for them."""
    sizes = {symbol: 2 + i % 2 for i, symbol in enumerate(call.symbols)}
    try:
        return in_agreement(result, call.evaluate(concrete_reader(sizes)), sizes)
    except (Refused, Undecided):
        return result


def in_agreement(result: Any, small: Any, sizes: dict[str, int]) -> Any:
    """The part of a symbolic result that agrees with the one for `sizes`."""
    if result[0] == "dim" and small[0] == "static":
        return result if calculate(result[1], sizes) == small[1] else ["unknown"]
    if result[0] != small[0]:
        return ["unknown"]
    if result[0] == "layer":
        inner = in_agreement(result[1], small[1], sizes)
        return ["layer", inner] if inner[0] == "array" else inner
    if result[0] == "array":
        dtype = result[1:3] if result[1:3] == small[1:3] else [None, False]
        if len(result[3]) != len(small[3]):
            return ["array", *dtype, None]
        pairs = zip(result[3], small[3], strict=True)
        return ["array", *dtype, [d if d is None or number_of(d, sizes) == n else None for d, n in pairs]]
    if result[0] in ("tuple", "list") and len(result[1]) == len(small[1]):
        pairs = zip(result[1], small[1], strict=True)
        return [result[0], [in_agreement(part, other, sizes) for part, other in pairs]]
    if result[0] == "dict" and [key for key, _ in result[1]] == [key for key, _ in small[1]]:
        pairs = zip(result[1], small[1], strict=True)
        return ["dict", [[key, in_agreement(part, other, sizes)] for (key, part), (_, other) in pairs]]
    return result if result == small else ["unknown"]


def number_of(dim: int | str, sizes: dict[str, int]) -> Any:
    return dim if isinstance(dim, int) else calculate(dim, sizes)


def witnesses(call: Call) -> list[dict[str, int]]:
    """The choices of sizes for the symbols of a call."""
    if len(call.symbols) > len(WITNESSES[0]):
        raise Undecided("too many symbolic dims")
    return [
        {
            symbol: (ints if symbol.startswith(UNKNOWN_INT) else dims)[i]
            for i, symbol in enumerate(call.symbols)
        }
        for dims, ints in zip(WITNESSES, INT_WITNESSES, strict=True)
    ]


def kind_of_refusal(call: Call, message: str) -> str:
    """ "dtype" if the same call with arrays of one dtype is accepted, or if JAX speaks of types; else "shape"."""
    reader = concrete_reader(witnesses(call)[0])
    for dtype in ("float32", "int32", "bool"):
        try:
            call.evaluate(reader, dtype)
        except (Refused, Undecided):
            continue
        return "dtype"
    of_shapes = re.search(r"shape|broadcast", message)  # JAX calls a dtype and a shape together a type
    return "dtype" if re.search(r"\bd?types?\b", message) and not of_shapes else "shape"


def configure(x64: bool, promotion: str, system: str) -> None:
    import jax

    jax.config.update("jax_enable_x64", x64)
    jax.config.update("jax_numpy_dtype_promotion", promotion)
    Layer.system = system


def limit_memory() -> None:
    """Refuse memory beyond what any evaluation needs, where the system can do that."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def end_with_parent() -> None:
    """End even in the middle of a long evaluation when the parent is no more."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def start() -> None:
    """Import JAX, which is most of what a short run costs: without looking for garbage on the way."""
    gc.disable()
    importlib.import_module("jax.numpy")
    importlib.import_module("jax").config.update("jax_traceback_filtering", "off")  # nobody reads them
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def main() -> None:
    # Answers go to the original standard output; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.environ["JAX_PLATFORMS"] = "cpu"
    warnings.simplefilter("ignore")
    limit_memory()
    end_with_parent()

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    try:
        start()
    except Exception as error:  # whatever keeps JAX from being imported is told, once
        say({"unknown": f"{error}, for {sys.executable}", "fault": True})
        return
    say({"ready": True})
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            configure(request["x64"], request["promotion"], request.get("system", "jax"))
            say(evaluate(request["function"], request["args"], request["kwargs"]))
        except Undecided as undecided:
            say({"unknown": str(undecided)})
        except MemoryError:
            say({"unknown": "the call needs too much memory to evaluate", "fault": True})
        except Exception as error:  # a fault of ours or of the machine's is an unknown, never an end
            say({"unknown": f"{type(error).__name__}: {error}", "fault": True})
    os._exit(0)  # nothing is left to do, and taking JAX apart takes time


if __name__ == "__main__":
    main()
