"""The names that annotations have for dtypes, jaxtyping's and ours."""

from __future__ import annotations

import re

from jaxtyping_core import dtypes
from jaxtyping_core._annotations.scalars import CLASSES, ROWS

#: The names of jaxtyping for dtypes, each with the class that has all of them; None for any dtype.
DTYPE_NAMES: dict[str, str | None] = {
    "Float": "floating",
    "Int": "signedinteger",
    "UInt": "unsignedinteger",
    "Integer": "integer",
    "Complex": "complexfloating",
    "Inexact": "inexact",
    "Bool": "bool_",
    "Num": "number",
    "Real": "number",  # which has no class of its own: complex dtypes are no reals
    "Shaped": None,
    "Key": "prng_key",
}
#: jaxtyping's names for concrete dtypes, without case and underscores.
_CONCRETE = {name.replace("_", ""): name for name in CLASSES if re.search(r"\d", name)}
#: What annotations of ours call arrays of the dtypes of a class: ``Float32``, ``Floating``.
ALIAS_OF_CLASS = {row.class_name: row.alias for row in ROWS.values()} | dtypes.ABSTRACT_ALIASES
#: What annotations call them, in jaxtyping's words where it has one for them.
NAME_OF_CLASS = ALIAS_OF_CLASS | {cls: name for name, cls in reversed(DTYPE_NAMES.items()) if cls is not None}
#: The abstract class that a name in either notation means.
ABSTRACT = {alias: name for name, alias in dtypes.ABSTRACT_ALIASES.items()} | {
    name: cls or "generic"
    for name, cls in DTYPE_NAMES.items()
    if cls is None or cls in dtypes.ABSTRACT_ALIASES
}


def class_name(name: str) -> str | None:
    """The class of the dtypes that one of jaxtyping's names means; None for any dtype.

    Raises:
        KeyError: it is none of jaxtyping's names.
    """
    if name in DTYPE_NAMES:
        return DTYPE_NAMES[name]
    if not name[:1].isupper():
        raise KeyError(name)
    return _CONCRETE[name.lower()]
