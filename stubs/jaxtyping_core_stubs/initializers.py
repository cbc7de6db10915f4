"""What the functions of ``jax.nn.initializers`` return: a callable of which the default dtype is known.

It is an ``Initializer``, JAX's protocol, which says nothing of dtypes and shapes: programs give their own functions for
one, so that the protocol itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import requests
from .rules import overloads, sized

MODULE = "jax.nn.initializers"
CLASS = "_InitializerOf"

_HEAD = f"""\
from typing import Protocol
class {CLASS}(Initializer, Protocol[_D_co]):
""".splitlines()
#: The ranks of shapes that are spelled out, the most usual ones.
_RANKS = (2,)


def lines() -> Iterator[str]:
    """The definition of the class, with the imports that it needs."""
    rows = list(_calls())
    yield from (f"from {module} import {name}" for name, module in overloads.vocabulary("\n".join(rows)))
    yield from _HEAD
    yield from rows


def _calls() -> Iterator[str]:
    yield from _rows("None = None", "_D_co")
    yield from _rows(requests.BY_CLASS.annotation, requests.BY_CLASS.result)
    yield from _row("Any", "Any = None", "Array")


def _rows(dtype: str, result: str) -> Iterator[str]:
    yield from _row(sized.ANY_LENGTH, dtype, f"Array[{result}, Unk]")
    for rank in _RANKS:
        yield from _row(
            f"tuple[{_repeated('int', rank)}]", dtype, f"Array[{result}, tuple[{_repeated('Unk', rank)}]]"
        )
    yield from _row("Any", dtype, f"Array[{result}, Unk]")


def _repeated(text: str, count: int) -> str:
    return ", ".join([text] * count)


def _row(shape: str, dtype: str, result: str) -> Iterator[str]:
    yield "    @overload"
    yield f"    def __call__(self, key: Array, shape: {shape}, dtype: {dtype}, out_sharding: Any = None) -> {result}: ..."
