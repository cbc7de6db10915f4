"""A NumPy-like namespace on JAX with the promotion system of your choice.

It has the functions of the Python array API standard and most others of ``jax.numpy``; `_table` lists them.
The promotion system in force decides the dtype of each operand. Then JAX computes under its strict mode,
so JAX itself never promotes.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as _jnp

from jaxtyping_core import dtypes as _dtypes
from jaxtyping_core.numpy import _functions, _grids, _jax, _operators, _table
from jaxtyping_core.numpy._array import Array as Array
from jaxtyping_core.numpy._checked import checked as checked
from jaxtyping_core.numpy._context import current as current
from jaxtyping_core.numpy._context import promotion as promotion
from jaxtyping_core.numpy._context import set_promotion as set_promotion
from jaxtyping_core.numpy._queries import can_cast as can_cast
from jaxtyping_core.numpy._queries import ndim as ndim
from jaxtyping_core.numpy._queries import promote_types as promote_types
from jaxtyping_core.numpy._queries import result_type as result_type
from jaxtyping_core.numpy._queries import shape as shape
from jaxtyping_core.numpy._queries import size as size
from jaxtyping_core.numpy._transformations import grad as grad
from jaxtyping_core.numpy._transformations import hessian as hessian
from jaxtyping_core.numpy._transformations import jacfwd as jacfwd
from jaxtyping_core.numpy._transformations import jacrev as jacrev
from jaxtyping_core.numpy._transformations import jit as jit
from jaxtyping_core.numpy._transformations import jvp as jvp
from jaxtyping_core.numpy._transformations import linearize as linearize
from jaxtyping_core.numpy._transformations import make_jaxpr as make_jaxpr
from jaxtyping_core.numpy._transformations import value_and_grad as value_and_grad
from jaxtyping_core.numpy._transformations import vjp as vjp
from jaxtyping_core.numpy._transformations import vmap as vmap

#: Every function of the table, by its name.
FUNCTIONS: dict[str, Any] = _functions.make_all(_table.TABLE)
globals().update(FUNCTIONS)
_operators.install(FUNCTIONS)
_jax.register()
globals().update(_grids.GRIDS)
#: The array by JAX's other name of it.
ndarray = Array

from jaxtyping_core.numpy import fft as fft
from jaxtyping_core.numpy import linalg as linalg
from jaxtyping_core.numpy import tree as tree

#: What JAX has as it is: scalar types and their classes, constants, and functions without arrays.
AS_IN_JAX = (
    *(row.class_name for row in _dtypes.DTYPES.values() if row.promotes),
    *_dtypes.ABSTRACT,
    *(
        "bool",
        "dtype",
        "finfo",
        "iinfo",
        "isdtype",
        "issubdtype",
        "broadcast_shapes",
        "newaxis",
        "s_",
        "index_exp",
    ),
    *("cdouble", "complex_", "csingle", "double", "float_", "int_", "single", "uint"),
    *("e", "euler_gamma", "inf", "nan", "pi", "__array_api_version__", "__array_namespace_info__"),
)
AS_IN_JAX = tuple(_name for _name in AS_IN_JAX if hasattr(_jnp, _name))
globals().update({_name: getattr(_jnp, _name) for _name in AS_IN_JAX})
