"""The evaluation child: reads requests on standard input, answers on standard output (see protocol.py).

Run as ``python -E -P child.py``: isolated from the environment's Python settings and the current folder, so
that a checked project's own ``jax.py`` is never imported. Needs only jax. Ends when its input ends, hence
with its parent. It evaluates functions of ``jax`` (and ``operator`` on arrays) and nothing else, and none
that reads or writes files.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
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
#: size that some value of the symbol would allow; the small ones show where a result stops following them,
#: and the order changes from one to the next, so that a minimum is not taken for one of its parts.
WITNESSES = (
    [240 * p for p in (11, 17, 23, 31, 41, 47, 59, 67)],
    [240 * p for p in (71, 61, 53, 43, 37, 29, 19, 13)],
    [5, 3, 7, 2, 13, 11, 19, 17],
)
#: The same for Python ints of unknown value, which count axes and steps more often than sizes.
INT_WITNESSES = ([2, 3, 4, 5, 6, 7, 8, 9], [3, 5, 7, 9, 11, 13, 15, 17], [1, 1, 1, 1, 1, 1, 1, 1])
#: Errors of these types, raised for abstract arguments, say that the call is wrong.
REFUSALS = (TypeError, ValueError, IndexError, ZeroDivisionError, AssertionError)
#: ... unless the words say that only tracing is in the way: the call may be right on concrete values.
TRACING = re.compile(r"trace[rd]|concrete|abstract|symbolic|inconclusive|static", re.IGNORECASE)
#: Functions that work on files, even on abstract arguments; loading may also run code in the file.
ON_FILES = frozenset(f"jax.numpy.{name}" for name in ("fromfile", "load", "save", "savez"))


class Refused(Exception):
    """JAX refuses the call."""


class Undecided(Exception):
    """Abstract evaluation cannot tell."""


def symbols_of(values: list[Any]) -> list[str]:
    """The symbols in the dims of the arrays in `values`, in order of appearance."""
    found: dict[str, None] = {}
    for dim in dims_of(values):
        if isinstance(dim, str):
            found.update(dict.fromkeys(s for s in SYMBOL.findall(dim) if s not in DIM_FUNCTIONS))
    return list(found)


def dims_of(values: Any) -> Iterator[Any]:
    """Every dim inside `values`."""
    if isinstance(values, list) and values:
        if values[0] == "array":
            yield from values[3]
        elif values[0] == "dim":
            yield values[1]
        else:
            for value in values:
                yield from dims_of(value)


def has_unknown(values: Any) -> bool:
    """Whether a part of the arguments is not known: an error may then be the unknown part's."""
    if isinstance(values, list) and values and values[0] == "scalar":
        return True
    if isinstance(values, list) and values and values[0] == "array":
        return any(dim is None for dim in values[3])
    return isinstance(values, list) and any(has_unknown(value) for value in values)


def name_unknowns(values: Any, counter: Iterator[int], ints: bool) -> Any:
    """`values` with a fresh symbol for every unknown dim and, if `ints`, for every unknown Python int."""
    if not isinstance(values, list) or not values:
        return values
    if values[0] == "array":
        return [*values[:3], [f"{UNKNOWN_DIM}{next(counter)}" if d is None else d for d in values[3]]]
    if ints and values == ["scalar", "int"]:
        return ["dim", f"{UNKNOWN_INT}{next(counter)}"]
    return [name_unknowns(value, counter, ints) for value in values]


class Call:
    """One request, evaluated under a way to read dims (symbolic or concrete)."""

    def __init__(self, function: str, args: list[Any], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.symbols = symbols_of([*args, *kwargs.values()])

    def evaluate(self, dim: Callable[[Any], Any], dtype: str | None = None) -> Any:
        """The encoded result. `dtype` replaces the dtype of every array.

        Raises:
            Refused: JAX refuses the call.
            Undecided: the call needs values.
        """
        import jax
        import jax.numpy as jnp

        leaves: list[Any] = []

        def leaf(name: str, weak: bool, dims: list[Any]) -> Callable[[Any], Any]:
            shape = tuple(dim(d) for d in dims)
            leaves.append(jax.ShapeDtypeStruct(shape, jnp.dtype(dtype or name), weak_type=weak))
            index = len(leaves) - 1
            return lambda xs: xs[index]

        def build(value: list[Any]) -> Callable[[Any], Any]:
            tag, *rest = value
            if tag == "array":
                return leaf(*rest)
            if tag == "key":
                leaves.append(jax.eval_shape(lambda: jax.random.key(0)))
                index = len(leaves) - 1
                return lambda xs: xs[index]
            if tag == "scalar":
                default = {"bool": "bool", "int": int, "float": float, "complex": complex}[rest[0]]
                return leaf(jax.dtypes.canonicalize_dtype(default).name, rest[0] != "bool", [])
            if tag in ("tuple", "list"):
                items = [build(item) for item in rest[0]]
                container = tuple if tag == "tuple" else list
                return lambda xs: container(item(xs) for item in items)
            if tag == "slice":
                parts = [build(part) for part in rest]
                return lambda xs: slice(*(part(xs) for part in parts))
            constant = dim(rest[0]) if tag == "dim" else constant_of(tag, rest)
            return lambda xs: constant

        args = [build(value) for value in self.args]
        kwargs = {name: build(value) for name, value in self.kwargs.items()}
        call = resolve(self.function)
        encoded: list[Any] = []

        def run(*xs: Any) -> None:
            out = call(*(arg(xs) for arg in args), **{name: arg(xs) for name, arg in kwargs.items()})
            encoded.append(encode(out))

        try:
            jax.eval_shape(run, *leaves)
        except Exception as error:  # whatever JAX raises becomes an answer
            raise verdict(error) from error
        return encoded[0]


def constant_of(tag: str, rest: list[Any]) -> Any:
    """The Python object that a value without arrays stands for."""
    import jax.numpy as jnp

    if tag == "static":
        return rest[0]
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
    if kind == "method":
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    if kind == "attribute":
        return lambda x: getattr(x, name)
    if kind == "update":
        return lambda x, index, *args, **kwargs: getattr(x.at[index], name)(*args, **kwargs)
    if function.startswith("operator."):
        import operator

        found: Callable[..., Any] = getattr(operator, function.removeprefix("operator."))
    else:
        found = jax_object(function)
    return found


def jax_object(path: str) -> Any:
    """The public object of jax at the dotted `path`."""
    first, *rest = path.split(".")
    if first != "jax" or any(part.startswith("_") for part in rest):
        raise Undecided(f"{path} is not a public name of jax")
    if path in ON_FILES:
        raise Undecided(f"{path} works on files")
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


def verdict(error: Exception) -> Exception:
    """What an exception out of JAX says about the call."""
    if isinstance(error, (Refused, Undecided)):
        return error
    message = in_order(str(error).split("\nSee https://")[0].strip())
    own = type(error).__module__.partition(".")[0] in ("jax", "jaxlib", "builtins")
    tracing = type(error).__module__ == "jax.errors" or TRACING.search(message)
    if isinstance(error, REFUSALS) and own and message and not tracing:
        return Refused(message)
    return Undecided(f"{type(error).__name__}: {message}")


def in_order(message: str) -> str:
    """`message` with the dtypes that it lists sorted: JAX keeps them in a set, in a different order each time."""

    def sort(found: re.Match[str]) -> str:
        return "subtypes of " + ", ".join(sorted(found[1].split(", ")))

    return re.sub(r"subtypes of (\w+(?:, \w+)*)", sort, message)


def encode(out: Any) -> Any:
    """The result of a traced call in the protocol's encoding."""
    import numpy as np

    if out is None or isinstance(out, (bool, str)) or type(out) in (int, float):
        return ["static", out]
    if isinstance(out, np.dtype) or (isinstance(out, type) and issubclass(out, np.generic)):
        return ["dtype", np.dtype(out).name]
    if isinstance(out, (tuple, list)):
        return ["list" if type(out) is list else "tuple", [encode(item) for item in out]]
    aval = getattr(out, "aval", out)
    if hasattr(aval, "shape") and hasattr(aval, "dtype"):
        dims = [d if type(d) is int else written(d) for d in aval.shape]
        name = str(aval.dtype)
        weak = bool(getattr(aval, "weak_type", False))
        return ["array", name, weak, [None if UNKNOWN in str(d) else d for d in dims]]
    if "DimExpr" in type(out).__name__:
        return ["unknown"] if UNKNOWN in str(out) else ["dim", written(out)]
    return ["unknown"]


def written(dim: Any) -> str:
    """A symbolic size as Python writes it: JAX writes powers as ``D^2``."""
    return str(dim).replace("^", "**")


def merge(results: list[Any], sizes: list[dict[str, int]]) -> Any:
    """What evaluations under different sizes agree on."""
    first = results[0]
    if any(result[0] != first[0] for result in results):
        return ["unknown"]
    if first[0] == "array":
        dims = [result[3] for result in results]
        if any(r[1:3] != first[1:3] or len(r[3]) != len(first[3]) for r in results):
            return ["unknown"]
        return [*first[:3], [merge_dim(column, sizes) for column in zip(*dims, strict=True)]]
    if first[0] in ("tuple", "list") and all(len(r[1]) == len(first[1]) for r in results):
        parts = zip(*(result[1] for result in results), strict=True)
        return [first[0], [merge(list(part), sizes) for part in parts]]
    return first if all(result == first for result in results) else ["unknown"]


def merge_dim(column: tuple[int, ...], sizes: list[dict[str, int]]) -> int | str | None:
    """One dim under each choice of sizes: the same number, a symbol's size each time, or unknown."""
    if len(set(column)) == 1:
        return column[0]
    for symbol in sizes[0]:
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
    values = [*args, *kwargs.values()]
    unknown = has_unknown(values)
    reading = read_call(function, args, kwargs, ints=False)
    try:
        return {"result": attempt(reading)}
    except Refused as refusal:
        if not unknown:
            message = str(refusal)
            return {"error": {"kind": kind_of_refusal(reading, message), "message": message}}
        problem: Exception = refusal
    except Undecided as undecided:
        problem = undecided
    # A Python int whose value is not known may be a size: then it is no array but a symbolic dim.
    if '["scalar", "int"]' in json.dumps(values):
        try:
            return {"result": attempt(read_call(function, args, kwargs, ints=True))}
        except (Refused, Undecided):
            pass
    return {"unknown": str(problem)}


def read_call(function: str, args: list[Any], kwargs: dict[str, Any], ints: bool) -> Call:
    counter = iter(range(10**6))
    return Call(
        function,
        [name_unknowns(value, counter, ints) for value in args],
        {name: name_unknowns(value, counter, ints) for name, value in kwargs.items()},
    )


def attempt(call: Call) -> Any:
    """The result with symbols for dims; where that fails, what two choices of sizes agree on.

    Raises:
        Refused: JAX refuses the call for every choice.
        Undecided: abstract evaluation cannot tell.
    """
    try:
        return call.evaluate(symbolic_reader())
    except (Refused, Undecided) as first:
        if not call.symbols:
            raise
        problem = first
    accepted = []
    for number, sizes in enumerate(witnesses(call)):
        try:
            accepted.append((number, call.evaluate(concrete_reader(sizes)), sizes))
        except Refused:
            continue
    if not accepted:
        raise problem  # in the symbolic attempt's words: they have the user's own dim names
    if [number for number, _, _ in accepted][:2] != [0, 1]:
        raise Undecided("the answer depends on the sizes")
    return merge([result for _, result, _ in accepted], [sizes for _, _, sizes in accepted])


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


def configure(x64: bool, promotion: str) -> None:
    import jax

    jax.config.update("jax_enable_x64", x64)
    jax.config.update("jax_numpy_dtype_promotion", promotion)


def main() -> None:
    # Answers go to the original standard output; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.environ["JAX_PLATFORMS"] = "cpu"
    warnings.simplefilter("ignore")
    for line in sys.stdin.buffer:
        try:
            request = json.loads(line)
            configure(request["x64"], request["promotion"])
            answer = evaluate(request["function"], request["args"], request["kwargs"])
        except Exception as error:  # a fault of ours or of JAX's is an unknown, never an end
            answer = {"unknown": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
