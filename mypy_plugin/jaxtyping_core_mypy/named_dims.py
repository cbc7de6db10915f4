"""Type variables in calls of the user's own functions: a dim that two arguments give must be the same size, a dtype the same dtype.

The parameters of an array are covariant under the plugin, so that mypy joins arrays where it must; it then also
joins what two arguments give to one type variable, and no longer reports that this differs. This
hook does, by the variable's name.
"""

from __future__ import annotations

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import declared, dims_given, dtypes_given
from jaxtyping_core_mypy.convert.declarations import Given
from jaxtyping_core_mypy.convert.dim_strings import name_of, spell_annotation
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import describe

Size = Dim | tuple[Dim, ...]


def report_conflict(site: Site) -> bool:
    """Report a type variable to which two arguments give different sizes or dtypes; whether there is one."""
    signature = declared(site.ctx)
    if signature is None:
        return False
    shared = (
        ("dtype", errors.ARRAY_DTYPE, dtypes_given(site.ctx, signature)),
        ("dim", errors.ARRAY_SHAPE, dims_given(site.ctx, signature, site.facts.equal_dims)),
    )
    for kind, code, values in shared:
        firsts: dict[object, Given] = {}
        for each in values:
            if each.value is None:
                continue
            first = firsts.setdefault(each.variable.id, each)
            if _differ(first.value, each.value):
                site.fail(_message(site, signature.name, kind, first, each), code)
                return True
    return False


def _message(site: Site, name: str | None, kind: str, first: Given, second: Given) -> str:
    array = site.reader.array_of(second.actual)
    return errors.CONFLICT.format(
        kind=kind,
        function=(name or "the function").partition(" of ")[0],
        argument=second.argument,
        array="an array" if array is None else describe(array),
        annotation=spell_annotation(second.formal),
        variable=name_of(second.variable),
        first=_spelled(first.value),
        first_argument=first.argument,
        second=_spelled(second.value),
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
