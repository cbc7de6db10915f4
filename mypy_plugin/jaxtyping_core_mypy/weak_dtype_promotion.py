"""Classes of weak dtypes: beside the class of their dtype, not below it.

To the stubs `weak_float` is a subclass of `float32`, so that a weak array goes where a float32 one is asked for. mypy would
therefore simplify the union of both to float32, where one of two branches has a weak array; and the other operand of
an addition would be promoted as by a strong one. Under the plugin a weak class *promotes* to that of its dtype, as `int`
does to `float`: it is taken for it, and a union of both stays one.
"""

from __future__ import annotations

from mypy.plugin import ClassDefContext

from jaxtyping_core.dtypes import WEAK
from jaxtyping_core_mypy import mypy_internals, names

CLASSES = frozenset(f"{names.SCALAR_TYPES}.{name}" for name in WEAK)


def promote(ctx: ClassDefContext) -> None:
    """The hook for the order of a weak class's bases: its only base becomes what it promotes to."""
    mypy_internals.promote(ctx.cls.info)
