"""Type variables in calls of the user's own functions: a dim that two arguments give must be the same size, a dtype the same dtype.

The parameters of an array are covariant under the plugin, so that mypy joins arrays where it must; it then also
joins what two arguments give to one type variable, and no longer reports that this differs. This
hook does, by the variable's name.
"""

from __future__ import annotations

from jaxtyping_core.contracts.binding import Environment
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.verdicts import Clash, Violated
from jaxtyping_core.domain.formatting import ANY_SIZE
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import arrays_given, declared
from jaxtyping_core_mypy.convert.declarations import Given
from jaxtyping_core_mypy.convert.dim_strings import spell_annotation
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import describe

#: What a name is, by the code of the error.
KINDS = {"array-dtype": ("dtype", errors.ARRAY_DTYPE), "array-shape": ("dim", errors.ARRAY_SHAPE)}


def report_conflict(site: Site) -> bool:
    """Report a type variable to which two arguments give different sizes or dtypes; whether there is one."""
    signature = declared(site.ctx)
    if signature is None:
        return False
    dims = Environment()
    firsts: dict[str, str] = {}
    for passed in arrays_given(site.ctx, signature, site.facts.equal_dims):
        verdict = check(passed.form, passed.array, dims)
        if isinstance(verdict, Violated) and verdict.clash is not None:
            kind, code = KINDS[verdict.code]
            first = firsts.get(verdict.clash.name, passed.argument)
            site.fail(_message(site, signature.name, kind, verdict.clash, first, passed), code)
            return True
        for name in _bound(passed, dims):
            firsts.setdefault(name, passed.argument)
    return False


def _bound(passed: Given, dims: Environment) -> list[str]:
    """The type variables of an argument that stand for something now, as messages have them."""
    known = {name for name, size in dims.sizes.items() if size is not None} | dims.several.keys()
    texts = [axis.text for axis in passed.form.axes or () if axis.name in known]
    return [*texts, *dims.dtypes.keys() & {passed.form.variable}]


def _message(site: Site, name: str | None, kind: str, clash: Clash, first: str, passed: Given) -> str:
    array = site.reader.array_of(passed.actual)
    return errors.CONFLICT.format(
        kind=kind,
        function=(name or "the function").partition(" of ")[0],
        argument=passed.argument,
        array="an array" if array is None else describe(array),
        annotation=spell_annotation(passed.formal),
        variable=clash.name,
        first=_spelled(clash.first),
        first_argument=first,
        second=_spelled(clash.second),
    )


def _spelled(size: object) -> str:
    if isinstance(size, tuple):
        return f"({', '.join(map(_spelled, size))})"
    return ANY_SIZE if size is None else str(size)
