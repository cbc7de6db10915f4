"""``jit``, which mypy and zuban see in another form, and the classes of custom derivatives."""

from __future__ import annotations

import jax

from . import classes
from .rows import Row

EXPORTS = {"jax.jit": "jit"}

_IN_MYPY = Row("Jitted[P, _Result]", {"fun": "Callable[P, _Result]"})
_ELSEWHERE = (
    Row("Jitted[F]", {"fun": "Jitted[F]"}, required=["fun"]),
    Row("Jitted[OfTree]", {"fun": "OfTree"}, required=["fun"]),
    Row("_Open[Undeclared]", {"fun": "Undeclared"}, required=["fun"]),
    Row("_OpenMethod[UndeclaredMethod]", {"fun": "UndeclaredMethod"}, required=["fun"]),
    Row("Jitted[F]", {"fun": "F"}, required=["fun"]),
    Row("_Jit", without=["fun"]),
)


def render() -> str:
    """The definitions of ``jit``."""
    elsewhere = "".join(f"@overload\n{row.define('jit', jax.jit)}\n" for row in _ELSEWHERE)
    return classes.split(f"{_IN_MYPY.define('jit', jax.jit)}\n", elsewhere)
