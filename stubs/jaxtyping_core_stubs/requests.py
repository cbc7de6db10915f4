"""The argument ``dtype=`` of functions: what it may be, and the class of what JAX then gives.

JAX shrinks 64-bit types where they are switched off, so that what asks for one gets the default dtype of its kind: the
table `asked` says what a class gives. A string or a type of NumPy or Python is left to the function's own signature,
for which real code has little use: the dtype of the result is not told then.
"""

from __future__ import annotations

from typing import NamedTuple

from . import operators, switches


class Request(NamedTuple):
    """What the argument may be, and the class of the dtype of the result."""

    annotation: str
    result: str


def _by(variable: str) -> Request:
    return Request(f"_AsDType[{variable}]", variable)


#: The class of ``jnp.float32`` and the like, as pyright sees them (`shown`).
SCALAR_CLASS = "_DTypeClass"
#: ... and its alias, by which pyright calls it.
SCALAR_ALIAS = "DTypeClass"
#: Types of one bit, of which JAX often makes bools.
ONE_BIT = ("uint1", "int1")
#: A class, the dtype of an array, or an array.
BY_CLASS = _by("_A")

#: The type variables for what JAX gives, or for a default if no dtype is asked for.
DEFAULTS: dict[str, str] = {
    "DefaultFloat": "_Float",
    "DefaultInt": "_Int",
    "DefaultUInt": "_UInt",
    "DefaultComplex": "_Complex",
}


def default_of(annotation: str) -> str | None:
    """The class that stands for a default of None where an annotation is that of `with_default`; None for any other annotation.

    If the argument is left out, pyright solves the type variable by the type of the default. By None it would be solved by
    what is expected of the result: ``x: BFloat16[Any] = jnp.ones(3)`` was no error.
    """
    return next((name for name in DEFAULTS if with_default(name).annotation == annotation), None)


def with_default(default: str) -> Request:
    """The argument where it may be left out, which gives a default then."""
    request = _by(DEFAULTS[default])
    return request._replace(annotation=f"{request.annotation} | None")


def definitions() -> str:
    """The type variables, and the annotation of the argument."""
    variables = (
        f'{name} = TypeVar("{name}", bound=generic, default={default})' for default, name in DEFAULTS.items()
    )
    forms = [f"{form}[_Has_asked[_A]]" for form in ("type", "DTypeObject", "_HasDType")]
    alias = switches.if_else(
        switches.NOT_PYRIGHT,
        [f"_AsDType: TypeAlias = {' | '.join(forms)}"],
        [f"_AsDType: TypeAlias = {' | '.join([f'{SCALAR_ALIAS}[_Has_asked[_A]]', *forms])}"],
    )
    return "\n".join([*variables, *alias])


#: What JAX calls a dtype in any form.
ALIAS = ("jax._src.typing", "DTypeLike")


def names() -> list[str]:
    """The names of dtypes that editors offer for a string."""
    return [*operators.NUMPY, "bfloat16"]
