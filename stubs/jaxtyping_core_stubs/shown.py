"""How pyright shows arrays: with the two type parameters that users write, or none; and what takes arrays: by JAX's name.

To pyright the class has a third parameter (`preamble.CLASS`), and it prints all that a class has; but of an alias, those
of the alias. So what functions give is an alias of the two, and what users import an alias of the class itself, which
can be subscripted and given to `isinstance`. To all other checkers both are the class.

It shows an alias by the name that it was defined with, whatever name it is imported by. Two aliases of one name it shows
with their modules, unless they have one full name. Hence the class ``basearray`` in the module ``jax._arrays``, which has
the alias of results, and the module ``jax._arrays.basearray``, which has that of users.

A parameter without annotation has the type of its default to pyright (``def f(x, dtype=jnp.float32)``), and takes nothing
else, unless that is an instance of a class with a private name. Such are JAX's own stubs; so are the dtypes here, and the
ufuncs. They are declared by aliases of other names.
"""

from __future__ import annotations

import re

from . import requests, scalars, switches, wording

#: The module of the stubs that defines what functions give.
RESULTS = "jax._arrays"
#: The module of the stubs that defines what users import.
PUBLIC = f"{RESULTS}.basearray"
#: The module of the stubs that defines what JAX's own functions take as an array: what `Like` has beside one, too. It is
#: no part of JAX's `ArrayLike`, whose members have operators.
OPERANDS = "jax._operands"

#: The module of the stubs that defines the dtypes of ``jax.numpy``, such as ``jnp.float32``.
SCALARS = "jax._scalars"

#: The module of the stubs that defines what a Python float is, by the name of Python.
PYTHON = "jax._python"

_OF_RESULTS = f"""
import os
from typing import Any, TypeAlias

from typing_extensions import TypeVar

from jax._src import basearray as _basearray

MYPY: bool

DT = TypeVar("DT", default=Any)
S = TypeVar("S", default=Any)

if {switches.NOT_PYRIGHT}:
    from jax._src import basearray as basearray
else:
    class basearray:
        Array: TypeAlias = _basearray.Array[DT, S, S]
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
from typing import Any, Generic, TypeAlias, overload

from typing_extensions import TypeVar

from jax._arrays import Array
from jax._src import basearray as _basearray
from jax._src.numpy import scalar_types as _scalar_types

MYPY: bool

_A = TypeVar("_A")
_D = TypeVar("_D")
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

{alias}: TypeAlias = {cls}[_D]

{names}
"""
_OF_PYTHON = """
from builtins import bool as _bool, float as _float
from typing import Protocol

class float(Protocol):  # A float that is no int, nor of NumPy, whose floats are not weak.
    def __lt__(self, other: _float, /) -> _bool: ...
"""

#: The array class in results, as the stub of the class itself calls it.
_RESULT = "_results.Array"
#: What is taken as an array, as that stub calls it.
OPERAND = "_ArrayLike"
IMPORTS = "\n".join(
    [
        f"from {OPERANDS} import ArrayLike as {OPERAND}",
        f"from {RESULTS} import basearray as {_RESULT.partition('.')[0]}",
        f"from {SCALARS} import {requests.SCALAR_ALIAS}",
        f"from {PYTHON} import float as _PyFloat",
    ]
)
_CLASS = re.compile(r"(?<![\w.])Array\b(?![\w\"'])")


#: What the rows call a type of which nothing is known, and its import.
_UNKNOWN = re.compile(r"\bUnk\b")
_IMPORT_OF_UNKNOWN = re.compile(r"^from jax\._src\.basearray import Unk\n", re.MULTILINE)
_IMPORT_OF_FLOAT = re.compile(r"^from jax\._src\.basearray import _PyFloat$", re.MULTILINE)
#: The import of the class in results as the generator writes it: it is an attribute.
_IMPORT_OF_RESULT = re.compile(rf"^from {re.escape(RESULTS)} import Array$", re.MULTILINE)


def with_words(module: str, text: str) -> str:
    """The text of a module's stub with the names that people read: an alias of ``Any`` would be shown as such."""
    text = _UNKNOWN.sub("Any", _IMPORT_OF_UNKNOWN.sub("", text))
    text = _IMPORT_OF_FLOAT.sub(f"from {PYTHON} import float as _PyFloat", text)
    if _IMPORT_OF_RESULT.search(text):
        text = _IMPORT_OF_RESULT.sub(f"from {RESULTS} import basearray", text)
        text = "\n".join(
            line if _IMPORT.match(line) else _CLASS.sub("basearray.Array", line) for line in text.split("\n")
        )
    return wording.worded(module, text)


_IMPORT = re.compile(r" *(?:from \S+ )?import ")


def stubs() -> dict[str, str]:
    """The text of the modules of the aliases."""
    classes = scalars.of_dtypes()
    names = switches.if_else(
        switches.NOT_PYRIGHT,
        (f"from {scalars.MODULE} import {name} as {name}" for name in classes),
        (f"{name}: {requests.SCALAR_ALIAS}[_scalar_types.{name}]" for name in classes),
    )
    of_scalars = _OF_SCALARS.format(
        cls=requests.SCALAR_CLASS, alias=requests.SCALAR_ALIAS, names="\n".join(names)
    )
    return {
        RESULTS: _OF_RESULTS,
        PUBLIC: _OF_USERS,
        OPERANDS: _OF_OPERANDS,
        SCALARS: of_scalars,
        PYTHON: _OF_PYTHON,
    }


def with_results(text: str) -> str:
    """The text of the stub that defines the class, with the alias in the signatures of its functions, and in `ArrayLike`."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    return _CLASS.sub(_RESULT, line) if _SIGNATURE.match(line) else line


_SIGNATURE = re.compile(r" *def |ArrayLike = ")
