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
from jaxtyping_core_mypy.convert.dim_strings import name_of, spell_annotation
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import describe

Size = Dim | tuple[Dim, ...]


def report_conflict(site: Site) -> bool:
    """Report a dim to which two arguments give different sizes; whether there is one."""
    signature = declared(site.ctx)
    if signature is None:
        return False
    firsts: dict[object, Given] = {}
    for dim in dims_given(site.ctx, signature, site.facts.equal_dims):
        if dim.size is None:
            continue
        first = firsts.setdefault(dim.variable.id, dim)
        if _differ(first.size, dim.size):
            site.fail(_message(site, signature.name, first, dim), errors.ARRAY_SHAPE)
            return True
    return False


def _message(site: Site, name: str | None, first: Given, second: Given) -> str:
    array = site.reader.array_of(second.actual)
    return errors.DIM_CONFLICT.format(
        function=(name or "the function").partition(" of ")[0],
        argument=second.argument,
        array="an array" if array is None else describe(array),
        annotation=spell_annotation(second.formal),
        dim=name_of(second.variable),
        first=_spelled(first.size),
        first_argument=first.argument,
        second=_spelled(second.size),
    )


def _spelled(size: Size) -> str:
    return (
        f"({', '.join(map(_spelled, size))})"
        if isinstance(size, tuple)
        else "?"
        if size is None
        else str(size)
    )


def _differ(a: Size, b: Size) -> bool:
    """Whether two known sizes are certainly different: symbolic arithmetic may be equal in disguise."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) != len(b) or any(map(_differ, a, b))
    return a != b and all(
        isinstance(dim, int) or (isinstance(dim, str) and dim.isidentifier()) for dim in (a, b)
    )
