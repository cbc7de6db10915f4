"""The dtype classes: `float32`, `bfloat16`, ..., the abstract `floating`, ..., and `weak_float`, ....

They are generated from the dtype table. NumPy and JAX accept a concrete class as its dtype, because both
read the `dtype` attribute of a class. No computation uses the classes themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxtyping_core import dtypes

if TYPE_CHECKING:
    import numpy as np

#: The module where users find the public names; pickles and messages refer to it.
PUBLIC_MODULE = "jaxtyping_core.typing"

#: The dtypes that have a class: everything that promotes, and `float0` (the tangent of an integer).
#: A `StringDType` array belongs to `generic` alone.
ROWS: dict[str, dtypes.DTypeInfo] = {
    row.class_name: row for row in dtypes.DTYPES.values() if row.promotes or row.name == "float0"
}


class DTypeMeta(type):
    """The metaclass of the dtype classes. It gives them a `dtype`, and a call converts, like `jnp.float32(1)`."""

    @property
    def dtype(cls) -> np.dtype[Any]:
        """The ``numpy.dtype`` of this class.

        Raises:
            TypeError: the class is abstract or weak, or the installed ml_dtypes lacks the dtype.
        """
        name = cls.__name__
        if name not in ROWS:
            raise TypeError(f"{name} is not a dtype of its own. {_remedy(name)}")
        try:
            return dtypes.numpy_dtype(ROWS[name].name)
        except KeyError:
            raise TypeError(
                f"{name} is missing from the installed ml_dtypes. A newer ml_dtypes has it."
            ) from None

    @property
    def __numpy_dtype__(cls) -> np.dtype[Any]:
        """What NumPy 2.4 and later ask for; earlier ones ask for `dtype`."""
        return cls.dtype

    def __call__(cls, value: Any) -> Any:
        """Convert `value` to a ``jax.Array`` of this dtype; imports JAX.

        Raises:
            TypeError: the class is abstract, weak or `float0`, or JAX cannot convert `value`.
        """
        dtype = cls.dtype
        if dtype.itemsize == 0:
            raise TypeError(f"{cls.__name__} has no values. Use numpy.zeros(shape, {cls.__name__}).")
        import jax.numpy as jnp

        return jnp.asarray(value, dtype=dtype)


def _remedy(name: str) -> str:
    """How to name a dtype instead of the abstract or weak class `name`."""
    if name in dtypes.WEAK:
        scalar = name.removeprefix("weak_")
        return f"A Python {scalar} makes a weak array, and `{scalar}` asks for the default dtype."
    concrete = [row.class_name for row in ROWS.values() if name in dtypes.ancestors(row.name)]
    return f"Use one of {', '.join(concrete)}." if concrete else f"Use one of the classes in {PUBLIC_MODULE}."


def _base(name: str) -> str | None:
    """The class above `name`.

    A weak class is below the default dtype of its kind where 64-bit types are off, JAX's own default.
    """
    if name in dtypes.WEAK:
        return dtypes.default_dtype(dtypes.WEAK[name], x64=False)
    return ROWS[name].parent if name in ROWS else dtypes.ABSTRACT[name]


def _doc(name: str) -> str:
    if name in dtypes.WEAK:
        return f"Arrays made from a Python {name.removeprefix('weak_')}: in promotion, their dtype yields to other dtypes."
    return f"The dtype {ROWS[name].name}." if name in ROWS else f"Any dtype below ``numpy.{name}``."


def _classes() -> dict[str, DTypeMeta]:
    made: dict[str, DTypeMeta] = {}
    for name in (*dtypes.ABSTRACT, *ROWS, *dtypes.WEAK):  # every class after the one above it
        base = _base(name)
        namespace = {"__module__": PUBLIC_MODULE, "__doc__": _doc(name), "__slots__": ()}
        made[name] = DTypeMeta(name, () if base is None else (made[base],), namespace)
    return made


#: Every dtype class by its name.
CLASSES: dict[str, DTypeMeta] = _classes()
