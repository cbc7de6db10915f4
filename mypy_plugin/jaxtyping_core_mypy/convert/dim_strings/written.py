"""What is written in jaxtyping's annotations: the names of dtypes, and the texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mypy.nodes import (
    Expression,
    ImportFrom,
    IndexExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TupleExpr,
    TypeAlias,
    TypeInfo,
)
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    RawExpressionType,
    TupleType,
    Type,
    TypeOfAny,
    UnboundType,
    get_proper_type,
)

from jaxtyping_core.contracts.axes import ANY_AXIS, Axis
from jaxtyping_core.contracts.dim_strings import DimStringError, parse
from jaxtyping_core.contracts.dtype_names import class_name
from jaxtyping_core_mypy import names

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


class WrittenArray(NamedTuple):
    """An array that an expression describes, and whether the type says all that the text does."""

    array: Instance
    is_plain: bool


def written_array(
    expression: Expression, imports: list[Any], find_class: Callable[[str], TypeInfo]
) -> WrittenArray | None:
    """The array of ``Float32[Array, "b 3"]`` where that is an expression; None for everything else."""
    match expression:
        case IndexExpr(
            base=RefExpr(fullname=annotated) as base,
            index=TupleExpr(items=[RefExpr() as of_array, StrExpr(value=text)]),
        ) if annotated in ANNOTATED and _is_array(of_array):
            dtype = dtype_of(imports, dotted(base))
        case _:
            return None
    try:
        axes = parse(text)
    except DimStringError:
        return None
    if dtype is UNSAID or dtype == "prng_key":
        return None
    anything = AnyType(TypeOfAny.special_form)
    elements = anything if dtype is None else Instance(find_class(f"{names.SCALAR_TYPES}.{dtype}"), [])
    number, several = Instance(find_class("builtins.int"), []), any(axis.variadic for axis in axes)
    sizes = [None if axis.broadcastable else axis.size for axis in axes]
    items: list[Type] = [anything if size is None else LiteralType(size, number) for size in sizes]
    shape = TupleType(items, Instance(find_class("builtins.tuple"), [anything]))
    is_plain = not several and all(_is_plain(axis) for axis in axes) and dotted(base)[-4:] != "Real"
    return WrittenArray(
        Instance(find_class(names.ARRAY), [elements, anything if several else shape]), is_plain
    )


def _is_array(expression: RefExpr) -> bool:
    """Whether a name is that of JAX's arrays, which the stubs give other names to."""
    node = expression.node
    target = get_proper_type(node.target) if isinstance(node, TypeAlias) else None
    info = target.type if isinstance(target, Instance) else node
    return isinstance(info, TypeInfo) and info.fullname == names.ARRAY


def _is_plain(axis: Axis) -> bool:
    """Whether an axis asks for a size, or for none: what has a name may have one already."""
    return axis in (ANY_AXIS, Axis(sizes=axis.sizes))


def dotted(expression: Expression) -> str:
    """A name as it is written; "" for what is none."""
    match expression:
        case MemberExpr(expr=inner, name=name) if dotted(inner):
            return f"{dotted(inner)}.{name}"
        case NameExpr(name=name):
            return name
    return ""
