"""How pyright shows arrays: with the two type parameters that users write, or none; and what takes arrays: by JAX's name.

To pyright the class has a third parameter (`preamble.CLASS`), and it prints all that a class has; but of an alias, those
of the alias. So what functions give is an alias of the two, and what users import an alias of the class itself, which
can be subscripted and given to `isinstance`. To all other checkers both are the class.

It shows an alias by the name that it was defined with, whatever name it is imported by.

A parameter without annotation has the type of its default to pyright (``def f(x, dtype=jnp.float32)``), and takes nothing
else, unless that is an instance of a class with a private name. Such are JAX's own stubs; so are the dtypes here.
"""

from __future__ import annotations

import re

from . import requests, scalars, switches

#: The module of the stubs that defines what functions give.
RESULTS = "jax._results"
#: The module of the stubs that defines what users import.
PUBLIC = "jax._array"
#: The module of the stubs that defines what JAX's own functions take as an array: what `Like` has beside one, too. It is
#: no part of JAX's `ArrayLike`, whose members have operators.
OPERANDS = "jax._operands"

#: The module of the stubs that defines the dtypes of ``jax.numpy``, such as ``jnp.float32``.
SCALARS = "jax._scalars"

_OF_RESULTS = f"""
import os
from typing import Any, TypeAlias

from typing_extensions import TypeVar

from jax._src import basearray as _basearray

MYPY: bool

_DT = TypeVar("_DT", default=Any)
_Sh = TypeVar("_Sh", default=Any)

if {switches.NOT_PYRIGHT}:
    from jax._src.basearray import Array as Array
else:
    Array: TypeAlias = _basearray.Array[_DT, _Sh, _Sh]
"""
_OF_USERS = """
from jax._src import basearray as _basearray

Array = _basearray.Array
"""
_OF_OPERANDS = """
from typing import Any, TypeAlias

from jax._src import basearray as _basearray

ArrayLike: TypeAlias = _basearray.ArrayLike | _basearray._NumPyArray[Any]
"""
_OF_SCALARS = """
import os
from typing import Any, Generic, overload

from typing_extensions import TypeVar

from jax._results import Array
from jax._src import basearray as _basearray
from jax._src.numpy import scalar_types as _scalar_types

MYPY: bool

_A = TypeVar("_A")
_D_co = TypeVar("_D_co", covariant=True)
_S = TypeVar("_S")

class {cls}(type, Generic[_D_co]):
    @property
    def dtype(self) -> _basearray.DTypeObject[_D_co]: ...
    @overload
    def __call__(self: {cls}[_scalar_types._Has_asked[_A]], x: complex = ..., /) -> Array[_A, tuple[()]]: ...
    @overload
    def __call__(self: {cls}[_scalar_types._Has_asked[_A]], x: Array[Any, _S], /) -> Array[_A, _S]: ...
    @overload
    def __call__(self: {cls}[_scalar_types._Has_asked[_A]], x: Any, /) -> Array[_A, Any]: ...

{names}
"""

#: The array class in results, as the stub of the class itself calls it.
_RESULT = "_Result"
#: What is taken as an array, as that stub calls it.
OPERAND = "_ArrayLike"
IMPORTS = "\n".join(
    [
        f"from {OPERANDS} import ArrayLike as {OPERAND}",
        f"from {RESULTS} import Array as {_RESULT}",
        f"from {SCALARS} import {requests.SCALAR_CLASS}",
    ]
)
_CLASS = re.compile(r"\bArray\b(?=\[)")


#: What the rows call a type of which nothing is known, and its import.
_UNKNOWN = re.compile(r"\bUnk\b")
_IMPORT_OF_UNKNOWN = re.compile(r"^from jax\._src\.basearray import Unk\n", re.MULTILINE)


def with_words(text: str) -> str:
    """The text of a stub with the names that people read: an alias of ``Any`` would be shown as such."""
    return _UNKNOWN.sub("Any", _IMPORT_OF_UNKNOWN.sub("", text))


def stubs() -> dict[str, str]:
    """The text of the modules of the aliases."""
    classes = scalars.of_dtypes()
    names = switches.if_else(
        switches.NOT_PYRIGHT,
        (f"from {scalars.MODULE} import {name} as {name}" for name in classes),
        (f"{name}: {requests.SCALAR_CLASS}[_scalar_types.{name}]" for name in classes),
    )
    of_scalars = _OF_SCALARS.format(cls=requests.SCALAR_CLASS, names="\n".join(names))
    return {RESULTS: _OF_RESULTS, PUBLIC: _OF_USERS, OPERANDS: _OF_OPERANDS, SCALARS: of_scalars}


def with_results(text: str) -> str:
    """The text of the stub that defines the class, with the alias in the results of its functions."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    head, arrow, result = line.partition(") -> ")
    return head + arrow + _CLASS.sub(_RESULT, result)
