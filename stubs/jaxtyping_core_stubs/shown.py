"""How pyright shows arrays: with the two type parameters that users write, or none; and what takes arrays: by JAX's name.

To pyright the class has a third parameter (`preamble.CLASS`), and it prints all that a class has; but of an alias, those
of the alias. So what functions give is an alias of the two, and what users import an alias of the class itself, which
can be subscripted and given to `isinstance`. To all other checkers both are the class.

It shows an alias by the name that it was defined with, whatever name it is imported by.
"""

from __future__ import annotations

import re

from . import switches

#: The module of the stubs that defines what functions give.
RESULTS = "jax._results"
#: The module of the stubs that defines what users import.
PUBLIC = "jax._array"
#: The module of the stubs that defines what JAX's own functions take as an array: what `Like` has beside one, too. It is
#: no part of JAX's `ArrayLike`, whose members have operators.
OPERANDS = "jax._operands"

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

#: The array class in results, as the stub of the class itself calls it.
_RESULT = "_Result"
#: What is taken as an array, as that stub calls it.
OPERAND = "_ArrayLike"
IMPORTS = f"from {OPERANDS} import ArrayLike as {OPERAND}\nfrom {RESULTS} import Array as {_RESULT}"
_CLASS = re.compile(r"\bArray\b(?=\[)")


#: What the rows call a type of which nothing is known, and its import.
_UNKNOWN = re.compile(r"\bUnk\b")
_IMPORT_OF_UNKNOWN = re.compile(r"^from jax\._src\.basearray import Unk\n", re.MULTILINE)


def with_words(text: str) -> str:
    """The text of a stub with the names that people read: an alias of ``Any`` would be shown as such."""
    return _UNKNOWN.sub("Any", _IMPORT_OF_UNKNOWN.sub("", text))


def stubs() -> dict[str, str]:
    """The text of the modules of the aliases."""
    return {RESULTS: _OF_RESULTS, PUBLIC: _OF_USERS, OPERANDS: _OF_OPERANDS}


def with_results(text: str) -> str:
    """The text of the stub that defines the class, with the alias in the results of its functions."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    head, arrow, result = line.partition(") -> ")
    return head + arrow + _CLASS.sub(_RESULT, result)
