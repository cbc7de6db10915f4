"""pandas: the ranks of what tables become, and their columns where a list names them. Nothing of it is called.

A table has two axes and a column has one, whatever a file holds: https://pandas.pydata.org/docs/user_guide/dsintro.html.
"""

from __future__ import annotations

from typing import Any

from ..dtypes import DTYPES
from ..engine.values.unknowns import NumpyArray
from . import UNKNOWN, Object, Overlay, in_place_of, number, numpy_array

#: Functions that read a table out of something.
READERS = (
    "read_csv",
    "read_excel",
    "read_feather",
    "read_fwf",
    "read_json",
    "read_parquet",
    "read_pickle",
    "read_table",
)
#: Those that give something else than a table if they are told so.
PARTS = frozenset({"chunksize", "iterator", "squeeze", "sheet_name", "typ", "header", "index_col"})
#: Methods that keep the columns, and those that may leave some out.
SAME_COLUMNS = (
    "astype",
    "copy",
    "dropna",
    "fillna",
    "head",
    "query",
    "sample",
    "sort_index",
    "sort_values",
    "tail",
)
OTHER_COLUMNS = ("assign", "drop", "rename", "reset_index", "set_index")


def _array(dtype: Any, shape: tuple[Any, ...]) -> Any:
    name = _name(dtype)
    return NumpyArray(None, shape) if name is None else numpy_array(name, shape)


def _name(dtype: Any) -> str | None:
    """The name of a dtype that a program names; None if it is none of JAX's."""
    name = dtype if type(dtype) is str else getattr(dtype, "__name__", None) or getattr(dtype, "name", None)
    return name if type(name) is str and name in DTYPES and name != "bool" else None


def _table(columns: int | None) -> Object:
    def item(key: Any = UNKNOWN) -> Any:
        if type(key) is str:
            return _column()
        is_list = type(key) is list and all(type(each) is str for each in key)
        return _table(len(key)) if is_list else UNKNOWN

    def changed(*_: Any, **options: Any) -> Any:
        return UNKNOWN if "inplace" in options or "axis" in options else _table(columns)

    def of_other_columns(*_: Any, **options: Any) -> Any:
        return UNKNOWN if "inplace" in options else _table(None)

    return Object(
        __getitem__=item,
        __len__=lambda: number(int),
        to_numpy=lambda dtype=None, *_, **__: _array(dtype, (None, columns)),
        values=_array(None, (None, columns)),
        **dict.fromkeys(SAME_COLUMNS, changed),
        **dict.fromkeys(OTHER_COLUMNS, of_other_columns),
    )


def _column() -> Object:
    def changed(*_: Any, **options: Any) -> Any:
        return UNKNOWN if "inplace" in options else _column()

    return Object(
        __len__=lambda: number(int),
        to_numpy=lambda dtype=None, *_, **__: _array(dtype, (None,)),
        values=_array(None, (None,)),
        **dict.fromkeys((*SAME_COLUMNS, "map"), changed),
    )


def _read(*_: Any, **options: Any) -> Any:
    return UNKNOWN if PARTS & options.keys() else _table(None)


OVERLAY = Overlay(
    library="pandas",
    is_onlooker=True,
    may_fail=True,
    instead=in_place_of({f"pandas.{name}": _read for name in READERS}),
)
