"""What a recorded run of the program got from outside: from libraries that are not evaluated, and from files.

The walk takes it where it knows nothing: at a call, an attribute, an item, or what a loop or a context binds. Dtypes and ranks count as
sure. A size may be another one next time. So a walk that reports errors knows none; another one, in which no error counts, has those
of the run.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..domain import arrays as domain
from ..domain.arrays import AbstractArray
from ..dtypes import DTYPES
from ..identity import identity
from .described import known_of
from .values import arrays, heap
from .values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    NumpyArray,
    Partial,
    PureExternal,
    Unknown,
    is_scalar,
)

#: The expressions that may give what comes from outside.
EXPRESSIONS = (ast.Call, ast.Attribute, ast.Subscript)
KINDS: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str}
#: Where an expression is: its file, lines and columns.
Where = tuple[str, int, int, int, int]


class ObservedBorder:
    """What was observed, and what of it the walk has used.

    Args:
        request: the "observed" of a request: "files" has, by path, lists of a line, a column, an end line, an end column and a value as
            `recording.observed` encodes it. With "sizes", sizes and ints are those of the run.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._has_numbers = bool(request.get("sizes"))
        self._values: dict[Where, Any] = {
            (file, *where): value
            for file, sites in request.get("files", {}).items()
            for *where, value in sites
        }
        #: Tells what was observed from all else, for walks that are kept.
        self.digest = (request.get("digest"), self._has_numbers)
        #: How often something observed was taken, and whether sizes of it were left out.
        self.taken = 0
        self.lacks_sizes = False
        #: The lines in which something was taken, and the arrays of NumPy that were made of it.
        self._lines: set[tuple[str, int]] = set()
        self._numpy: dict[int, NumpyArray] = {}
        #: What names hold of it: by file, line, column and name.
        self.places: dict[tuple[str, int, int, str], AbstractArray] = {}

    def seen(self, file: str, node: ast.expr | ast.arg, value: Any) -> Any:
        """A value that the walk has for an expression, a target or a parameter; what was observed there, where that says more."""
        where = file, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
        observed = self._values.get(where)
        if observed is None:
            return value
        if observed.get("tag") == "computed":
            observed = observed["value"]
            if not self._has_numbers:
                # What the program computes is another thing in another run: no error follows from it.
                self.lacks_sizes = self.lacks_sizes or isinstance(value, Unknown)
                return value
        refined = self._refined(value, observed)
        if refined is not value:
            self.taken += 1
            self._lines.update(
                (file, line) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
            )
        return refined

    def bound(self, file: str, node: ast.expr | ast.arg, name: str, value: Any) -> None:
        """A name is bound, or a value returned: of what was observed, that is told."""
        if isinstance(value, NumpyArray) and self._numpy.get(identity(value)) is value:
            known = _of_numpy(value)
        elif (file, node.lineno) in self._lines:
            known = known_of(value)
        else:
            return
        if known is not None:
            place = file, node.lineno, node.col_offset, name
            self.places[place] = domain.join(self.places.get(place, known), known)

    def as_json(self) -> list[dict[str, Any]]:
        """The names that hold something observed."""
        return [
            {
                **dict(zip(("file", "line", "column", "name"), place, strict=True)),
                "dtype": known.dtype,
                "weak": known.weak,
                "shape": None if known.shape is None else [*known.shape],
                "calls": 0,
            }
            for place, known in sorted(self.places.items())
        ]

    def _refined(self, value: Any, observed: Any) -> Any:
        """A value with what was observed in place of what is not known of it."""
        if value is UNKNOWN or isinstance(value, (PureExternal, ArrayLike)):
            made = self._made(observed)
            return value if made is UNKNOWN else made
        if type(value) is tuple and observed.get("tag") == "items" and len(observed["items"]) == len(value):
            parts = [*map(self._refined, value, observed["items"])]
            return tuple(parts) if any(a is not b for a, b in zip(parts, value, strict=True)) else value
        if type(value) is AbstractSequence:
            is_list = value.kind is list and observed.get("tag") in ("many", "items")
            return self._made(observed) if value.item is UNKNOWN and is_list else value
        if isinstance(value, (Partial, NumpyArray)) or arrays.is_array(value):
            return self._more_precise(value, observed)
        if is_scalar(value, int) and value.size is None and self._has_numbers:
            made = self._made(observed)
            return made if type(made) is int else value
        return value

    def _more_precise(self, value: Any, observed: Any) -> Any:
        made = self._made(observed)
        if isinstance(value, NumpyArray) != isinstance(made, NumpyArray):
            return value
        known, more = map(_known, (value, made))
        if known is None or more is None or not domain.leq(more, known) or domain.equal(more, known):
            return value
        return made

    def _made(self, observed: Any) -> Any:
        """The value that was observed; unknown where it was not looked at, or is an object of a library."""
        make = _MAKE.get(observed.get("tag"))
        return UNKNOWN if make is None else make(self, observed)

    def _array(self, data: Any) -> Any:
        dims = data["dims"]
        if not self._has_numbers and any(dim is not None for dim in dims):
            self.lacks_sizes = True
        shape = tuple(dim if self._has_numbers else None for dim in dims)
        try:
            if data["library"] == "jax":
                return _of_jax(data["dtype"], bool(data["weak"]), shape)
            if data["dtype"] not in DTYPES:  # of objects or texts: no array of JAX comes of it
                return UNKNOWN
            made = NumpyArray(np.dtype(jnp.dtype(data["dtype"])), shape)
        except (TypeError, ValueError, KeyError):  # of texts, or of another version's kinds
            return UNKNOWN
        self._numpy[identity(made)] = made
        return made

    def _scalar(self, data: Any) -> Any:
        kind, number = data["kind"], data["value"]
        if kind == "None":
            return None
        if kind == "int" and type(number) is int:
            if self._has_numbers:
                return number
            self.lacks_sizes = True
        return AbstractScalar(KINDS[kind]) if kind in KINDS else UNKNOWN

    def _items(self, data: Any) -> Any:
        if data["type"] is not None:  # it has more than its items
            return UNKNOWN
        if data["kind"] == "list" and not self._has_numbers:
            plain = [without_sizes(item) for item in data["items"]]
            if plain and all(item == plain[0] for item in plain):
                return self._many({"item": data["items"][0], "length": len(plain)})
        items = [*map(self._made, data["items"])]
        return heap.made(items) if data["kind"] == "list" else tuple(items)

    def _many(self, data: Any) -> Any:
        length = data["length"]
        if length is not None and self._has_numbers and length <= MOST_ITEMS:
            return heap.made([self._made(data["item"]) for _ in range(length)])
        self.lacks_sizes = self.lacks_sizes or length is not None
        since = arrays.unknown_sizes()
        return AbstractSequence(self._made(data["item"]), kind=list, since=since)

    def _dict(self, data: Any) -> Any:
        if data["type"] is not None:
            return UNKNOWN
        return heap.made(dict(zip(data["keys"], map(self._made, data["items"]), strict=True)))


def _of_jax(dtype: str, weak: bool, shape: tuple[int | None, ...]) -> Any:
    """An array of JAX; its dtype is unknown if the run had 64-bit types, and the walk has not."""
    if dtype in DTYPES and jax.dtypes.canonicalize_dtype(dtype).name != dtype:
        return arrays.array(None, None, shape)
    return arrays.array(dtype, weak, shape)


#: Longer lists are of unknown length.
MOST_ITEMS = 64
_MAKE: dict[Any, Callable[[ObservedBorder, Any], Any]] = {
    "array": ObservedBorder._array,
    "scalar": ObservedBorder._scalar,
    "items": ObservedBorder._items,
    "many": ObservedBorder._many,
    "dict": ObservedBorder._dict,
}


def without_sizes(data: Any) -> str:
    """What was observed but for its sizes, as a text."""
    if isinstance(data, dict):
        left = {key: [None] * len(part) if key == "dims" else part for key, part in data.items()}
        own = {key: without_sizes(part) if key != "dims" else part for key, part in left.items()}
        return json.dumps(own | ({"value": None} if data.get("kind") == "int" else {}), sort_keys=True)
    return json.dumps([*map(without_sizes, data)]) if isinstance(data, list) else json.dumps(data)


def _of_numpy(value: NumpyArray) -> AbstractArray | None:
    if value.np_dtype is None:
        return AbstractArray.of(None, None, value.dims)
    return AbstractArray.of(np.dtype(value.np_dtype).name, False, value.dims)


def _known(value: Any) -> AbstractArray | None:
    return _of_numpy(value) if isinstance(value, NumpyArray) else known_of(value)
