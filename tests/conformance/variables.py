"""The variables that expressions are about: their names say what they are.

``float32_34`` is an array of that dtype and of shape (3, 4), ``weak_float_`` a weakly typed scalar array,
``np_int8_3`` a NumPy array, ``py_int`` a Python scalar, ``key`` a random key.
"""

from __future__ import annotations

import re
import zlib
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.lax.lax import _convert_element_type  # the only way to a weak array of any values

from jaxtyping_core import dtypes

#: Dtypes that XLA can compute with on every machine; calls with others are traced only.
COMPUTABLE = {
    name for name, row in dtypes.DTYPES.items() if row.promotes and row.bits >= 8 and "float8" not in name
}
DTYPES = tuple(name for name in dtypes.available() if dtypes.DTYPES[name].promotes)
PYTHON = {"py_bool": True, "py_int": 2, "py_float": 2.5, "py_complex": 1j}
#: Other values, for results that depend on them.
PYTHON_2 = {"py_bool": False, "py_int": 1, "py_float": 0.5, "py_complex": 2.0 + 1j}

_NAMES = (*sorted(map(re.escape, (*DTYPES, *dtypes.WEAK)), key=len, reverse=True),)
_ARRAY = re.compile(rf"(?<![\w.])(?P<np>np_)?(?P<dtype>{'|'.join(_NAMES)})_(?P<shape>\d*)\b")
_OTHER = re.compile(rf"\b(?:key|{'|'.join(PYTHON)})\b")


class Variable(NamedTuple):
    """An array: its dtype (or weak type), its shape, and whether it is NumPy's."""

    dtype: str
    shape: tuple[int, ...]
    is_numpy: bool

    def annotation(self, dims_as: str | None) -> str:
        """What a program declares it as; a NumPy array has a shape only where `dims_as` says of what kind."""
        if dims_as == UNTYPED and self.is_untyped():
            return "np.ndarray" if self.is_numpy else "Array"
        dims = ", ".join(dim(self, axis, dims_as) for axis in range(len(self.shape))) or "()"
        if self.is_numpy and dims_as:
            return f"np.ndarray[tuple[{dims}], np.dtype[np.{class_name(self.dtype)}]]"
        if self.is_numpy:
            return f"np.typing.NDArray[np.{class_name(self.dtype)}]"
        return f"Array[{class_name(self.dtype)}, tuple[{dims}]]"

    def name(self) -> str:
        """How expressions call it, where each size has one digit."""
        return f"{'np_' if self.is_numpy else ''}{self.dtype}_{''.join(map(str, self.shape))}"

    def is_untyped(self) -> bool:
        """Whether it is in the half of the arrays that have no types, where some have none."""
        return zlib.crc32(self.name().encode()) % 2 == 0

    def struct(self) -> jax.ShapeDtypeStruct:
        """The abstract value."""
        weak = self.dtype in dtypes.WEAK
        name = (
            dtypes.default_dtype(dtypes.WEAK[self.dtype], jax.config.jax_enable_x64) if weak else self.dtype
        )
        return jax.ShapeDtypeStruct(self.shape, dtypes.numpy_dtype(name), weak_type=weak)

    def value(self, second: bool = False) -> Any:
        """Small positive numbers, in order; the `second` ones are zeros and ones."""
        struct = self.struct()
        size = int(np.prod(self.shape, dtype=int))
        numbers = np.arange(size) % 2 if second else np.arange(size) % 3 + 1
        numbers = numbers.reshape(self.shape).astype(struct.dtype)
        if self.is_numpy:
            return numbers
        return _convert_element_type(jnp.asarray(numbers), weak_type=self.dtype in dtypes.WEAK)


#: How dims are declared for the plugin.
DIMS_AS = ("numbers", "names", "unknown")
#: ... or, for every checker: half of the arrays have no types.
UNTYPED = "untyped"


def dim(variable: Variable, axis: int, dims_as: str | None) -> str:
    """One dim as a type: a number or, of sizes that are not 1, a type variable; a third of them unknown."""
    size = variable.shape[axis]
    if dims_as == "unknown" and (len(variable.dtype) + sum(variable.shape) + axis) % 3 == 0:
        return "Any"
    return f"D{size}" if dims_as == "names" and size != 1 else f"Literal[{size}]"


def class_name(dtype: str) -> str:
    """The class that stands for a dtype or weak type."""
    return dtypes.DTYPES[dtype].class_name if dtype in dtypes.DTYPES else dtype


def arrays(expression: str, larger: bool = False) -> dict[str, Variable]:
    """The arrays that an expression mentions; `larger` ones, whose sizes are squares, on request."""
    power = 2 if larger else 1
    return {
        match[0]: Variable(
            match["dtype"], tuple(int(size) ** power for size in match["shape"]), match["np"] is not None
        )
        for match in _ARRAY.finditer(expression)
    }


def others(expression: str, second: bool = False) -> dict[str, Any]:
    """The other variables that an expression mentions."""
    python = PYTHON_2 if second else PYTHON
    return {name: jax.random.key(0) if name == "key" else python[name] for name in _OTHER.findall(expression)}


def parameters(expressions: list[str], dims_as: str | None = None) -> str:
    """The parameters that declare all the variables of some expressions."""
    declared: dict[str, str] = {}
    for expression in expressions:
        declared |= {name: variable.annotation(dims_as) for name, variable in arrays(expression).items()}
        declared |= dict.fromkeys(_OTHER.findall(expression), "")
    plain = {"key": "Array[jax.dtypes.prng_key, tuple[()]]"} | {
        name: type(value).__name__ for name, value in PYTHON.items()
    }
    return ", ".join(f"{name}: {annotation or plain[name]}" for name, annotation in sorted(declared.items()))
