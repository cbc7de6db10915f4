"""``jit``, which mypy and zuban see in another form, and the classes of custom derivatives."""

from __future__ import annotations

import jax

from . import classes
from .rows import Row

EXPORTS = {"jax.jit": "jit"}

#: By the form of the function: mypy and zuban, the others.
_JIT = (
    (
        # This row is what mypy knows of ``partial(jax.jit, ...)``.
        Row("Jitted[..., Any]", {"fun": "_Unknown"}, given=["fun"]),
        Row("Jitted[P, R]", {"fun": "Callable[P, R]"}, given=["fun"]),
    ),
    (
        Row("Jitted[F]", {"fun": "Jitted[F]"}, given=["fun"]),
        Row("Jitted[F]", {"fun": "F"}, given=["fun"]),
    ),
)
_DECORATOR = Row("_Jit", without=["fun"])


def render() -> str:
    """The definitions of ``jit``. What stands between the two groups keeps pyright from joining them."""
    in_mypy, elsewhere = (
        "".join(f"@overload\n{row.define('jit', jax.jit)}\n" for row in (*rows, _DECORATOR)) for rows in _JIT
    )
    return classes.split(in_mypy, f"def jit() -> None: ...\n{elsewhere}")
