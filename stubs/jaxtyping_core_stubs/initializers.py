"""What the functions of ``jax.nn.initializers`` return: a callable of which the default dtype is known.

It is an ``Initializer``, JAX's protocol, which says nothing of dtypes and shapes: programs give their own functions for
one, so that the protocol itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import requests
from .rules import overloads, sized

MODULE = "jax.nn.initializers"
#: The module of the stubs that defines the class, by the name that people read.
HOME = "jax._initializers"
IMPORT = f"from {HOME} import InitializerOf as _InitializerOf"

_HEAD = """
from typing import Any, Protocol, overload

from jax._arrays import Array
from jax._src.nn.initializers import Initializer
"""
_CLASS = """
class InitializerOf(Initializer, Protocol[_D_co]):"""
#: The ranks of shapes that are spelled out, the most usual ones.
_RANKS = (2,)


def render() -> str:
    """The text of the stub of the class."""
    rows = list(_calls())
    imports = (f"from {module} import {name}" for name, module in overloads.vocabulary("\n".join(rows)))
    return _HEAD + "\n".join([*imports, _CLASS, *rows, ""])


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
