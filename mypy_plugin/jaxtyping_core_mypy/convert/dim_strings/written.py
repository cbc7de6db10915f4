"""What is written in jaxtyping's annotations: the names of dtypes, and the texts."""

from __future__ import annotations

from typing import Any

from mypy.nodes import ImportFrom
from mypy.types import RawExpressionType, Type, UnboundType

from jaxtyping_core._annotations.dim_strings import class_name

#: What mypy takes jaxtyping's names for.
ANNOTATED = frozenset({"typing.Annotated", "typing_extensions.Annotated"})
#: For a name that is none of jaxtyping's.
UNSAID = object()


def dtype_of(imports: list[Any], written: str) -> str | object | None:
    """The class of the dtypes that the name of an annotation means; `UNSAID` for another ``Annotated``.

    mypy finds the same thing behind all of jaxtyping's names, so that only the import tells which it is.
    """
    name = written.rpartition(".")[2]
    try:
        return class_name(_imported(imports, name) if name == written else name)
    except KeyError:
        return UNSAID


def is_dtype(imports: list[Any], written: str) -> bool:
    """Whether a name is one of jaxtyping's for dtypes."""
    return dtype_of(imports, written) is not UNSAID


def _imported(imports: list[Any], name: str) -> str:
    """What a name was before ``from jaxtyping import Float as F`` gave it."""
    for node in imports:
        if isinstance(node, ImportFrom):
            for original, renamed in node.names:
                if renamed == name:
                    return original
    return name


def text_of(written: Type) -> str | None:
    """The text of an annotation; None where it is no literal text."""
    if isinstance(written, UnboundType):
        return written.original_str_expr
    if isinstance(written, RawExpressionType) and isinstance(written.literal_value, str):
        return written.literal_value
    return getattr(written, "original_str_expr", None)
