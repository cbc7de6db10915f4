"""The known wrong types and false errors of checkers, each with its reason: nothing else may be wrong."""

from __future__ import annotations

import re
from typing import NamedTuple


class Known(NamedTuple):
    """Expressions, as a regular expression for the whole of each, and why they are excepted."""

    expression: str
    reason: str
    checkers: tuple[str, ...] = ("mypy", "pyright", "pyrefly", "ty", "zuban", "plugin")
    wrong: bool = False  # whether the type is wrong; else the error is false


_UNDOCUMENTED = "JAX accepts it, but its own annotations do not: an error without these stubs too"

KNOWN = (
    Known(
        r"(py_\w+|[\d.j]+|True) [!=]= .*",
        "typeshed: a Python scalar compares with any object and gives a bool",
        wrong=True,
    ),
    Known(
        r"np_\w+ (\+|-|\*|/|//|%|\*\*|@|&|\||\^|<<|>>) \w+",
        "NumPy's stubs: an array of NumPy takes what converts to one, and gives one of NumPy; the plugin knows better",
        ("mypy", "pyright", "pyrefly", "ty", "zuban"),
        wrong=True,
    ),
    Known(
        r"(.* / py_float|py_float / .*)",
        "ty reads `float` as `int | float`: of the two results it keeps the wider one",
        ("ty",),
        wrong=True,
    ),
    Known(
        r"(jnp|jax\.random|jax\.scipy\.integrate)\.(cross|packbits|unpackbits|trapezoid|choice)\(.*axis=\(.*\)\)",
        _UNDOCUMENTED,
    ),
    Known(r"(jnp\.fft\.\w+|jax\.random\.choice)\(.*axis=None\)", _UNDOCUMENTED),
    Known(r"jax\.scipy\.fft\.i?dctn?\((np_\w+|[\w.]*)\)", f"{_UNDOCUMENTED}: only arrays of JAX"),
    Known(r"jax\.scipy\.special\.spence\((py_float|2\.5)\)", f"{_UNDOCUMENTED}: only arrays of JAX"),
    Known(r"jnp\.array_(repr|str)\(.*", f"{_UNDOCUMENTED}: they say numpy.ndarray"),
    Known(r"jnp\.resize\(.*, 5\)", _UNDOCUMENTED),
    Known(r"lax\.index_take\(.*", _UNDOCUMENTED),
    Known(r"jnp\.where\(.*, .*, .*, size=None\)", _UNDOCUMENTED),
    Known(r"jnp\.linalg\.matrix_norm\(.*, ord=jnp\.inf\)", _UNDOCUMENTED),
    Known(r"jax\.scipy\.linalg\.hadamard\(.*dtype=None\)", _UNDOCUMENTED),
    Known(
        r"lax\.reshape\(\w+_34, \(5,\)\)",
        "JAX refuses it when it is lowered; the truth is found by tracing",
        ("plugin",),
    ),
    Known(r"jnp\.fromfunction\(.*dtype=None\)", _UNDOCUMENTED),
    Known(
        r"jax\.tree\.map\(.*\{.*: (?P<first>\w+)_\d*, .*: (?!(?P=first)_)\w+\}\)",
        "pyright takes a union of a known and an unknown array for the known one",
        ("pyright",),
        wrong=True,
    ),
)


def reason(checker: str, expression: str, wrong: bool) -> str | None:
    """Why a checker may give a wrong type (else: report a false error); None where it may not."""
    for row in KNOWN:
        if checker in row.checkers and row.wrong == wrong and re.fullmatch(row.expression, expression):
            return row.reason
    return None
