"""What is said of floats of few bits that become wide: which operand is to blame, how many bytes more that takes, and what can be done."""

from __future__ import annotations

import ast
import math

import jax.numpy as jnp
import numpy as np

from .operands import Operand
from .width_flow import is_few

BECOMES = "{few} becomes {wide}{more}, because {why}; {remedy}"
MEANT = ", or {write}{cast} if {wide} is meant"
WRITE = "write "
#: Functions that make arrays of float32 if they are not asked for another dtype, and the most arguments of each without that.
MAKERS = {
    **dict.fromkeys(("zeros", "ones", "empty", "asarray", "array"), 1),
    **dict.fromkeys(("full", "eye", "normal", "uniform"), 2),
    "linspace": 3,
}
#: Expressions that stand for a value which has been made elsewhere.
NAMES = (ast.Name, ast.Attribute, ast.Subscript)
UNITS = ("bytes", "kB", "MB", "GB", "TB")


def message(few: Operand, wide: Operand, why: str, remedy: str) -> str:
    """What is said of an operation."""
    cast = few.cast(str(wide.known.dtype)) if isinstance(few.node, NAMES) else None
    write = "" if remedy.startswith(WRITE) else WRITE
    meant = MEANT.format(write=write, cast=cast, wide=wide.known.dtype) if cast else ""
    more = _more(few, wide)
    return BECOMES.format(few=few.spelled, wide=wide.spelled, more=more, why=why, remedy=remedy + meant)


def is_few_bits(operand: Operand) -> bool:
    """Whether an operand has floats of few bits."""
    return operand.known.dtype is not None and is_few(jnp.dtype(operand.known.dtype))


def makes(few: Operand, other: Operand, dtype: str) -> bool:
    """Whether an operand makes a result of this dtype of one of few bits, by JAX's own promotion."""
    first, second = few.known.dtype, other.known.dtype
    if first is None or second is None or other.known.weak is not False or other is few:
        return False
    try:
        return bool(jnp.promote_types(first, second).name == dtype)
    except (TypeError, ValueError):  # of strict promotion, or of dtypes that never promote
        return False


def is_other(operand: Operand) -> str:
    """What the operand to blame is."""
    return f"{operand.text or 'an operand'} is {operand.spelled}"


def of_layer(few: Operand, layer: str) -> str:
    """What can be done about a layer."""
    return f"pass dtype=jnp.{few.known.dtype} to {layer}"


def of_operand(few: Operand, to_blame: Operand, maker: str | None) -> str:
    """What can be done about an operand, which this function makes if that can be asked for another dtype."""
    dtype = str(few.known.dtype)
    if maker is not None:
        return f"pass dtype=jnp.{dtype} to {maker}"
    if to_blame.known.shape == () and isinstance(to_blame.value, np.generic):
        return f"put a Python number in its place, which keeps {dtype}"
    cast = to_blame.cast(dtype)
    return f"{WRITE}{cast}" if cast else f"cast that to jnp.{dtype}"


def maker(made: ast.AST | None) -> str | None:
    """The function in an expression that makes an array, and is not asked for a dtype."""
    if not isinstance(made, ast.Call) or any(each.arg == "dtype" for each in made.keywords):
        return None
    name = ast.unparse(made.func)
    return name if len(made.args) <= MAKERS.get(name.rpartition(".")[2], -1) else None


def names_in(node: ast.AST) -> set[str]:
    """The variables and attributes of an expression, as ``self.m``."""
    names = (ast.unparse(part) for part in ast.walk(node) if isinstance(part, (ast.Name, ast.Attribute)))
    return {*names} - {"self"}


def _more(few: Operand, wide: Operand) -> str:
    """How many bytes more the result takes."""
    sizes = wide.known.shape
    numbers = [size for size in sizes or () if isinstance(size, int)]
    if sizes is None or len(numbers) < len(sizes):
        return ""
    gained = jnp.dtype(str(wide.known.dtype)).itemsize - jnp.dtype(str(few.known.dtype)).itemsize
    count, unit = float(gained * math.prod(numbers)), 0
    while count >= 1000 and unit + 1 < len(UNITS):
        count, unit = count / 1000, unit + 1
    return f" ({count:.3g} {UNITS[unit]} more)"
