"""Calls of NumPy that are given a dtype of JAX: ``np.zeros(3, jnp.float16)``, ``np.finfo(jnp.float16)``.

To mypy such a dtype is a class that has a `dtype` of which nothing is known. So it fits the overloads of NumPy's stubs that
are for dtypes of another kind, the first of which says what the result is: float32 of ``np.finfo(jnp.float16).max``.
"""

from __future__ import annotations

from jaxtyping_core_mypy.convert import (
    Type,
    given_dtype,
    is_numpy,
    scalar_of,
    type_alone,
    with_scalar,
    without_variables,
)
from jaxtyping_core_mypy.site import Site

#: The parameters that say what the result is of.
OF_RESULT = ("dtype", "int_type")
#: What mypy refuses to be made for a class that is none of NumPy's.
IINFO = "numpy._core.getlimits.iinfo"


def call(site: Site) -> Type:
    """The result, as far as NumPy's stubs know it, of the dtype that was given; an array of any, as with JAX's own types.

    A variable that holds one may be given an array of another dtype.
    """
    for name, types in zip(site.ctx.callee_arg_names, site.ctx.arg_types, strict=True):
        dtype = next(filter(None, map(given_dtype, types)), None)
        if dtype is not None:
            is_exact = name in OF_RESULT and not is_numpy(site.default)
            return with_scalar(site.default, scalar_of(dtype, site.engine.find_class) if is_exact else None)
    return site.default


def signature(site: Site) -> Type:
    """``np.iinfo(jnp.int8)``, which is of any type."""
    types = [type_alone(site.api, argument) for arguments in site.ctx.args for argument in arguments]
    return without_variables(site.ctx.default_signature) if any(map(given_dtype, types)) else site.default
