"""Each function of the rules about ported files, as calls of NumPy and PyTorch, with operands of several dtypes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

NUMPY, TORCH = "numpy", "torch"
#: The dtypes of operands; those with 64 bits are left out, because JAX does not have them unless they are switched on.
DTYPES = ("bool", "int8", "uint8", "int16", "int32", "float16", "float32", "complex64")
#: A Python number of each kind.
NUMBERS: Mapping[str, Any] = {"weak_int": 2, "weak_float": 2.5}
#: The arguments of functions; `a` and `b` are operands, vectors, and `m` and `n` are square matrices of their dtypes.
ARGUMENTS = {
    **dict.fromkeys(("concatenate", "stack", "hstack", "vstack"), "[a, b]"),
    **dict.fromkeys(("dot",), "a, b"),
    **dict.fromkeys(("matmul", "kron", "linalg.solve"), "m, n"),
    **dict.fromkeys(("trace", "linalg.inv", "linalg.det"), "m"),
    **dict.fromkeys(("cumsum", "cumprod"), "a, 0"),
    **dict.fromkeys(("zeros", "ones", "empty", "identity", "tri"), "3"),
    **dict.fromkeys(("linspace", "logspace", "geomspace"), "1, 2, 3"),
    "eye": "3",
    "searchsorted": "f, f",
    **dict.fromkeys(("argmax", "argmin", "argsort", "count_nonzero"), "f"),
    "bincount": "i",
}
#: What functions are called in PyTorch.
NAMES = {
    "sub": "sub",
    "truediv": "true_divide",
    "concatenate": "cat",
    "array": "tensor",
    "asarray": "asarray",
}
#: What operators are called in NumPy.
OPERATORS = {"sub": "subtract", "mul": "multiply", "truediv": "true_divide", "add": "add"}


def operands(arity: int) -> Iterator[tuple[str, ...]]:
    """The dtypes of so many operands."""
    nodes = [*DTYPES, *NUMBERS]
    for each in itertools.product(nodes, repeat=arity):
        if not each or set(each) - NUMBERS.keys():
            yield each


def dtype(library: Any, name: str, nodes: tuple[str, ...]) -> str:
    """The dtype that a function gives for operands; "raises" if it does not."""
    path = NAMES.get(name, name) if library.__name__ == TORCH else OPERATORS.get(name, name)
    f: Any = library
    for part in path.split("."):
        f = getattr(f, part)
    names = dict(zip("ab", (_vector(library, node) for node in nodes), strict=False))
    names |= dict(zip("mn", (_matrix(library, node) for node in nodes), strict=False))
    names |= {"f": library.ones(3), "i": library.ones(3, dtype=library.int32)}
    default = "a" if len(nodes) == 1 else "a, b"
    try:
        result = eval(f"f_({ARGUMENTS.get(name, default)})", {**names, "f_": f})
    except Exception:  # whatever the library raises
        return "raises"
    return str(getattr(result, "dtype", type(result).__name__)).removeprefix("torch.")


def _vector(library: Any, node: str) -> Any:
    if node in NUMBERS:
        return NUMBERS[node]
    return library.ones(3, dtype=getattr(library, node))


def _matrix(library: Any, node: str) -> Any:
    if node in NUMBERS:
        return NUMBERS[node]
    return library.eye(3, dtype=getattr(library, node))
