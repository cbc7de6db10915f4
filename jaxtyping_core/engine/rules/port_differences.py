"""Where NumPy and PyTorch differ from JAX: which functions, what the other library gives, and what to do.

The dtypes of operands are promoted by the tables of `jaxtyping_core.systems`. Tests run each row in both libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ... import dtypes
from ...promotion import find
from ...systems import RANK_0

NUMPY, TORCH = "numpy", "torch"
#: What people call the libraries.
NAMES: Mapping[str, str] = {NUMPY: "NumPy", TORCH: "PyTorch"}
#: In the place of a dtype: the other library raises.
RAISES = "raises"
#: What ``x += y`` is called, whatever the operator is.
IN_PLACE = "in place"
#: The default dtypes of arrays that are made of Python's numbers, by their kind.
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    NUMPY: {"b": "bool", "i": "int64", "f": "float64", "c": "complex128"},
    TORCH: {"b": "bool", "i": "int64", "f": "float32", "c": "complex64"},
}
#: The floats in which NumPy computes its functions of ints, by the bits of these.
NUMPY_FLOATS: Mapping[int, str] = {8: "float16", 16: "float32", 32: "float64", 64: "float64"}


def _is_exact(node: str) -> bool:
    return dtypes.kind(node.removesuffix(RANK_0)) in "bui"


def _strong(node: str, system: str) -> str:
    return DEFAULTS[system][dtypes.kind(node)] if node in dtypes.WEAK else node


def _joined(nodes: Sequence[str], system: str) -> str | None:
    """The common dtype of the operands; of two Python numbers nothing is said."""
    if all(node in dtypes.WEAK for node in nodes):
        return None
    return find((*nodes,), system, True)


def _arrays(nodes: Sequence[str], system: str) -> str | None:
    """What functions of arrays promote to: with Python numbers, each library does another thing."""
    return None if any(node in dtypes.WEAK for node in nodes) else _joined(nodes, system)


def _difference(nodes: Sequence[str], system: str) -> str | None:
    """PyTorch subtracts no bools, and NumPy none from bools."""
    bools = [node.removesuffix(RANK_0) == "bool" for node in nodes]
    return RAISES if (any(bools) if system == TORCH else all(bools)) else _joined(nodes, system)


def _extreme(nodes: Sequence[str], system: str) -> str | None:
    """PyTorch compares arrays alone, and no complex ones."""
    if system == NUMPY:
        return _joined(nodes, system)
    is_complex = any(dtypes.kind(node.removesuffix(RANK_0)) == "c" for node in nodes)
    return RAISES if is_complex else _arrays(nodes, system)


def _quotient(nodes: Sequence[str], system: str) -> str | None:
    common = _joined(nodes, system)
    return DEFAULTS[system]["f"] if common is not None and _is_exact(common) else common


def _float(nodes: Sequence[str], system: str) -> str | None:
    """What a function such as ``exp`` computes in."""
    common = _joined(nodes, system)
    if common is None or not _is_exact(common):
        return common
    bits = 8 if common == "bool" else dtypes.DTYPES[common].bits
    return NUMPY_FLOATS[bits] if system == NUMPY else DEFAULTS[system]["f"]


def _mean(nodes: Sequence[str], system: str) -> str | None:
    """PyTorch has no means of ints."""
    (node,) = nodes
    if node in dtypes.WEAK:
        return None
    if not _is_exact(node):
        return node.removesuffix(RANK_0)
    return DEFAULTS[NUMPY]["f"] if system == NUMPY else RAISES


def _of_ints(nodes: Sequence[str], system: str) -> str | None:
    """What is computed of ints in floating point; what short floats and complex numbers give, differs from function to function."""
    (node,) = nodes
    return _mean(nodes, system) if _is_exact(node) and node not in dtypes.WEAK else None


def _sum(nodes: Sequence[str], system: str) -> str | None:
    """Sums of ints are of the widest ints."""
    (node,) = nodes
    if node in dtypes.WEAK:
        return None
    if not _is_exact(node):
        return node.removesuffix(RANK_0)
    return "uint64" if system == NUMPY and dtypes.kind(node) == "u" else "int64"


def _index(nodes: Sequence[str], system: str) -> str | None:
    return "int64"


def _of_floats(nodes: Sequence[str], system: str) -> str | None:
    return DEFAULTS[system]["f"]


def _made(nodes: Sequence[str], system: str) -> str | None:
    """What an array of Python's numbers is."""
    if not nodes or any(node not in dtypes.WEAK and node != "bool" for node in nodes):
        return None
    kinds = [dtypes.kind(node) for node in nodes]
    return DEFAULTS[system][max(kinds, key="bifc".index)]


def _product(nodes: Sequence[str], system: str) -> str | None:
    """PyTorch multiplies matrices of one dtype alone, and none of bools."""
    plain = {node.removesuffix(RANK_0) for node in nodes}
    is_refused = system == TORCH and (len(plain) > 1 or plain == {"bool"})
    return RAISES if is_refused else _arrays(nodes, system)


class DtypeRow(NamedTuple):
    """Functions whose results have another dtype: their names in `jax.numpy`, of operators and of methods."""

    names: str
    answer: Callable[[Sequence[str], str], str | None]
    #: Which arguments promote: so many at the beginning, or all; "items" for those in a list.
    operands: int | str = "all"
    #: What the functions are called in PyTorch is another matter, or there are none.
    systems: Sequence[str] = (NUMPY, TORCH)


ROWS: Sequence[DtypeRow] = (
    DtypeRow("add mul multiply", _joined, 2),
    DtypeRow("sub subtract", _difference, 2),
    DtypeRow("maximum minimum fmax fmin", _extreme, 2),
    DtypeRow("outer", _arrays, 2),
    DtypeRow("inner kron cross append", _arrays, 2, (NUMPY,)),
    DtypeRow("dot matmul", _product, 2),
    DtypeRow("concatenate stack hstack vstack", _arrays, "items"),
    DtypeRow("truediv divide true_divide", _quotient, 2),
    DtypeRow("exp exp2 expm1 log log2 log10 log1p sqrt sin cos tan sinh cosh tanh", _float, 1),
    DtypeRow("arcsin arccos arctan", _float, 1),
    DtypeRow("mean", _mean, 1),
    DtypeRow("var std", _of_ints, 1),
    DtypeRow("sum prod cumsum cumprod", _sum, 1),
    DtypeRow("trace", _sum, 1, (NUMPY,)),
    DtypeRow("argmax argmin argsort searchsorted count_nonzero bincount", _index, 0),
    DtypeRow("zeros ones empty eye linspace logspace", _of_floats, 0),
    DtypeRow("identity tri geomspace", _of_floats, 0, (NUMPY,)),
    DtypeRow("array asarray", _made, "items"),
    DtypeRow("arange", _made, "all"),
    DtypeRow("linalg.inv linalg.det linalg.norm", _of_ints, 1),
)


class Behaviour(NamedTuple):
    """Functions that do something else: their names, or `IN_PLACE`, when (a name in `port.CONDITIONS`), what differs, and what to do."""

    system: str
    names: str
    when: str
    told: str


BEHAVIOURS: Sequence[Behaviour] = (
    Behaviour(
        NUMPY,
        "get_item take",
        "is of indices",
        "NumPy raises IndexError where an index is outside of the axis, and JAX takes the nearest item or fills in;"
        " check the indices, or pass mode to x.at[i].get",
    ),
    Behaviour(
        TORCH,
        "get_item take",
        "is of indices",
        "PyTorch raises IndexError where an index is outside of the axis, and JAX takes the nearest item or fills in;"
        " check the indices, or pass mode to x.at[i].get",
    ),
    Behaviour(
        NUMPY,
        IN_PLACE,
        "is shared",
        "NumPy changes the array itself, and so all of its other names and views; JAX makes a new array for this name alone;"
        " return it, or use it instead of the others",
    ),
    Behaviour(
        TORCH,
        IN_PLACE,
        "is shared",
        "PyTorch changes the tensor itself, and so all of its other names and views; JAX makes a new array for this name alone;"
        " return it, or use it instead of the others",
    ),
    Behaviour(
        NUMPY,
        "method sort",
        "always",
        "x.sort() sorts x itself in NumPy and gives None; JAX gives a sorted copy; write x = x.sort()",
    ),
    Behaviour(
        NUMPY,
        "power pow",
        "is of ints",
        "NumPy raises ValueError where an int has a negative power, and JAX gives a wrong int; convert the base to a float",
    ),
    Behaviour(
        TORCH,
        "power pow",
        "is of ints",
        "PyTorch gives 0 where an int has a negative power, and JAX gives a wrong int; convert the base to a float",
    ),
    Behaviour(
        NUMPY,
        "floordiv floor_divide",
        "is of ints",
        "NumPy gives 0 where an int is divided by 0, and JAX gives another int; choose the divisor with jnp.where",
    ),
    Behaviour(
        TORCH,
        "floordiv floor_divide",
        "is of ints",
        "PyTorch raises where an int is divided by 0, and JAX gives some int; choose the divisor with jnp.where",
    ),
    Behaviour(
        NUMPY,
        "method astype",
        "is to small ints",
        "floats outside of {result} become its nearest end in JAX, and wrap around in NumPy; convert to int32 first"
        " if they are to wrap around",
    ),
    Behaviour(
        TORCH,
        "method astype",
        "is to small ints",
        "floats outside of {result} become its nearest end in JAX, and wrap around in PyTorch; convert to int32 first"
        " if they are to wrap around",
    ),
    Behaviour(
        NUMPY,
        "add sub mul",
        "is of a large number",
        "NumPy raises OverflowError where a number does not fit into {result}, and JAX wraps it around; convert the array first",
    ),
    Behaviour(
        TORCH,
        "std var",
        "is of floats and biased",
        "PyTorch divides by n - 1, and JAX by n; pass ddof=1",
    ),
    Behaviour(
        TORCH,
        "median",
        "always",
        "PyTorch gives the lower one of two numbers in the middle, and JAX their mean;"
        ' use jnp.quantile(x, 0.5, method="lower")',
    ),
    Behaviour(
        TORCH,
        "max min",
        "has an axis",
        "PyTorch gives the values and their indices, and JAX the values alone; use jnp.argmax or jnp.argmin for the indices",
    ),
    Behaviour(
        TORCH,
        "sort",
        "always",
        "PyTorch gives the values and their indices, and JAX the values alone; use jnp.argsort for the indices",
    ),
    Behaviour(
        TORCH,
        "split",
        "has a count",
        "the number is that of the parts in JAX, and the size of each part in PyTorch; pass x.shape[axis] // size",
    ),
    Behaviour(
        TORCH,
        "repeat",
        "always",
        "x.repeat repeats the whole tensor in PyTorch, and each item in JAX; use jnp.tile for the whole",
    ),
    Behaviour(
        TORCH,
        "nn.gelu",
        "is approximate",
        "PyTorch computes gelu exactly, and JAX an approximation; pass approximate=False",
    ),
)
