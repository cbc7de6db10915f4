"""Named dims in calls of the user's own functions: a dim that two arguments give must be the same size.

The shape parameter is covariant under the plugin, so that mypy joins shapes where it must; it then also
joins the sizes that two arguments give to one type variable, and no longer reports that they differ. This
hook does, by the dim's name.
"""

from __future__ import annotations

from jaxtyping_core.evaluation.values import Dim
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import declared, dims_given
from jaxtyping_core_mypy.convert.declarations import Given
from jaxtyping_core_mypy.site import Site


def report_conflict(site: Site) -> bool:
    """Report a dim to which two arguments give different sizes; whether there is one."""
    signature = declared(site.ctx)
    dims = (
        [] if signature is None else [dim for dim in dims_given(site.ctx, signature) if dim.size is not None]
    )
    firsts: dict[object, Given] = {}
    for dim in dims:
        first = firsts.setdefault(dim.variable, dim)
        if _differ(first.size, dim.size):
            assert signature is not None
            message = errors.DIM_CONFLICT.format(
                dim=dim.dim,
                function=(signature.name or "the function").partition(" of ")[0],
                first=first.size,
                first_argument=first.argument,
                second=dim.size,
                second_argument=dim.argument,
            )
            site.fail(message, errors.ARRAY_SHAPE)
            return True
    return False


def _differ(a: Dim, b: Dim) -> bool:
    """Whether two known sizes are certainly different: symbolic arithmetic may be equal in disguise."""
    return a != b and all(
        isinstance(dim, int) or (isinstance(dim, str) and dim.isidentifier()) for dim in (a, b)
    )
