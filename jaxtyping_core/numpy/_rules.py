"""What the operands of a function become: the join of the promotion system, and what a function adds to it.

A rule is a function from the operands' nodes to the nodes that they are converted to; None leaves an
operand as it is. The joins are those of `jaxtyping_core.promotion`; this module only says which functions
compute in floating point, or not in bool, where a system other than JAX's own decides. Under "jax" and
"jax-strict" JAX itself decides what a function does with the common dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.promotion import join, resolve
from jaxtyping_core.systems import RANK_0

System = str | Lattice
Targets = tuple[str | None, ...]

#: The systems under which functions treat the common dtype as JAX does.
OF_JAX = frozenset(("jax", "jax-strict"))

#: The loops of NumPy's functions that compute in floating point, by the bits of an integer (bool is 8).
_NUMPY_FLOATS = {8: "float16", 16: "float32", 32: "float64", 64: "float64"}


def _joined(nodes: Sequence[str], system: System, x64: bool) -> str:
    return dtypes.canonical(join(*nodes, system=system, x64=x64), x64)


def _exact(node: str) -> bool:
    return dtypes.kind(node) in "bui"


def _divide(node: str, system: System, x64: bool) -> str:
    """What a quotient is computed in: what the system makes of `node` and a Python float."""
    if system in OF_JAX or not _exact(node):
        return node
    return _joined((node, "weak_float"), system, x64)


def _numpy_float(node: str, x64: bool) -> str:
    """The first of NumPy's loops of `sin` that takes `node`: of several operands, the last of these counts."""
    if not _exact(node):
        return node
    return dtypes.canonical(_NUMPY_FLOATS.get(dtypes.DTYPES[node].bits, "float16"), x64)


def _double(node: str, system: System, x64: bool) -> str:
    """What NumPy computes in double precision, such as covariances."""
    if system == "numpy":
        return dtypes.canonical("complex128" if dtypes.kind(node) == "c" else "float64", x64)
    return _divide(node, system, x64)


def _float_power(node: str, system: System, x64: bool) -> str:
    """What `float_power` computes in: PyTorch too has it in double precision alone."""
    return _double(node, "numpy" if system == "torch" else system, x64)


def _number(node: str, system: System, x64: bool) -> str:
    """What arithmetic that is not defined for bools computes in; NumPy takes int8."""
    return "int8" if system == "numpy" and node == "bool" else node


def _same(node: str, system: System, x64: bool) -> str:
    return node


def _range(node: str, system: System, x64: bool) -> str:
    """The dtype of a range with such bounds: NumPy and PyTorch have their default dtypes here."""
    if system == "numpy":
        return _joined((node, "int64"), system, x64)
    if system == "torch":
        return dtypes.canonical("float32" if dtypes.kind(node) == "f" else "int64", x64)
    return node


def _wide(node: str, system: System, x64: bool) -> str:
    """What is computed beside NumPy's default integers."""
    return _joined((node, "int64"), system, x64) if system == "numpy" else node


def _space(node: str, system: System, x64: bool) -> str:
    """What evenly spaced numbers between such ends are; PyTorch has its default dtype here."""
    if system == "torch":
        return "complex64" if dtypes.kind(node) == "c" else "float32"
    return _divide(node, system, x64)


#: What the functions of a rule compute in, from the common dtype of their operands.
_LIFTS: dict[str, Callable[[str, System, bool], str]] = {
    "join": _same,
    "clip": _same,
    "question": _same,
    "number": _number,
    "divide": _divide,
    "quantile": _divide,
    "float": _divide,
    "double": _double,
    "float power": _float_power,
    "range": _range,
    "space": _space,
    "made": _same,
    "each divide": _divide,
    "wide": _wide,
}

#: The rules of functions that make an array of bounds, with the rule that converts bounds of several dtypes.
OF_BOUNDS = {"range": "range", "space": "space", "geometric space": "double", "powers": "wide"}

#: The systems under which a Python scalar in a list beside arrays is an array of its default dtype.
STRONG_IN_LISTS = frozenset(("numpy", "torch"))

#: The dtype of a sum of bools or integers, for the systems whose sums are not those of JAX.
SUMS: dict[str, Callable[[str], str]] = {
    "numpy": lambda node: "uint64" if dtypes.kind(node) == "u" else "int64",
    "torch": lambda node: "int64",
    "tensorflow": lambda node: node,
    "lax": lambda node: node,
}


def targets(rule: str, nodes: Sequence[str], system: System, x64: bool) -> Targets:
    """The nodes that operands of `nodes` are converted to before the function is called.

    Args:
        rule: "join", "question", "number", "divide", "float", "double", "made", "wide", ...: all become one
            dtype. "alone": each is promoted by itself, and so in "quantile" under JAX's systems. "power": as "number", but an integer exponent keeps its dtype.
        nodes: the nodes of the operands, marked where their rank is 0.

    Raises:
        PromotionError: the operands have no common dtype.
    """
    count = len(nodes)
    if rule == "alone" or (rule == "quantile" and system in OF_JAX):
        return tuple(_joined((node,), system, x64) for node in nodes)
    if rule == "power":
        return _power(nodes, system, x64)
    if system == "numpy":
        nodes = _of_numpy(rule, nodes, x64)
    common = _LIFTS[rule](_joined(nodes, system, x64), system, x64)
    return (common,) * count


def _of_numpy(rule: str, nodes: Sequence[str], x64: bool) -> Sequence[str]:
    """What NumPy's functions make of single operands before they promote."""
    if rule == "made":  # of a Python scalar they make an array first
        return [_joined((node,), "numpy", x64) if node in dtypes.WEAK else node for node in nodes]
    if rule == "each divide":
        return [_divide(node, "numpy", x64) for node in nodes]
    common = _joined(nodes, "numpy", x64)
    if rule == "float" and _exact(common):
        scalars = any(node in dtypes.WEAK for node in nodes)
        return [_numpy_float(node, x64) for node in ([common] if scalars else nodes)]
    return nodes


def _power(nodes: Sequence[str], system: System, x64: bool) -> Targets:
    """JAX computes integer powers by multiplication: an integer exponent must keep its dtype."""
    base, exponent = (node.removesuffix(RANK_0) for node in nodes)
    common = _number(_joined(nodes, system, x64), system, x64)
    whole = dtypes.kind(exponent) in "ui"
    if system in OF_JAX and (base, exponent) == ("bool", "weak_int"):
        return resolve(exponent, x64), None  # JAX has no powers of bools, and this one is strong
    if system in OF_JAX:
        keeps = whole and (dtypes.kind(base) in "fc" or exponent in dtypes.WEAK)
        return (None, None) if keeps else (common, common)
    keeps = whole and (dtypes.kind(common) in "fc" or exponent in dtypes.WEAK)
    return (common, None) if keeps else (common, common)


def sum_dtype(node: str, system: System, x64: bool) -> str | None:
    """The dtype of a sum or product of elements of `node`; None where it is JAX's own."""
    chosen = SUMS.get(system) if isinstance(system, str) else None
    return dtypes.canonical(chosen(node), x64) if chosen and _exact(node) else None
