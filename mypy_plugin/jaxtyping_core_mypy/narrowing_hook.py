"""What an array is where a condition about it is true: the hook of the guards that `jaxtyping_core_mypy.narrowing_guards` writes."""

from __future__ import annotations

from mypy.nodes import CallExpr, EllipsisExpr, Expression, NameExpr, RefExpr, SetExpr, StarExpr, TupleExpr

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.domain.values import Array, DType, Items, Static, Value
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core_mypy.convert import Type, is_array, type_of, union_items, union_of
from jaxtyping_core_mypy.convert.narrowing import with_dims, with_dtype
from jaxtyping_core_mypy.equal_dims import dim_of, equate
from jaxtyping_core_mypy.narrowing_guards import Test
from jaxtyping_core_mypy.site import Site

#: JAX's arrays may have more; nobody asks for them.
MOST_AXES = 32


def callback(site: Site) -> Type:
    """The hook of the guard: mypy looks at its name for what its argument is where it is true."""
    call = site.ctx.context
    if isinstance(call, CallExpr) and isinstance(call.callee, RefExpr) and len(call.args) == 1:
        test = site.facts.tests.get(id(call.args[0]))
        if test is not None:
            call.callee.type_guard = _told(site, test, site.ctx.arg_types[0][0])
    return site.default


def _told(site: Site, test: Test, typ: Type) -> Type | None:
    """The type of a variable after a test; None where it tells nothing, or no array of the type can pass it."""
    members = union_items(typ) or [typ]
    arrays = [member for member in members if is_array(member)]
    passing = [after for array in arrays if (after := _after(site, test, array)) is not None]
    if not passing or passing == members:
        return None
    return union_of([*passing, *(member for member in members if member not in arrays)])


def _after(site: Site, test: Test, array: Type) -> Type | None:
    """An array type after a test; None where no array of it passes."""
    if test.of == "dtype":
        return with_dtype(array, _dtype(site, test.expected), site.engine.find_class, site.engine.x64)
    own = site.reader.array_of(array)
    dims = _dims(site, test, own)
    if dims is not None and own is not None and own.shape is not None and len(own.shape) == len(dims):
        equate(site, zip(own.shape, dims, strict=True), test.asking)
    return (
        array
        if dims is None
        else with_dims(array, [site.writer.dim(dim) for dim in dims], site.writer.tuple_of)
    )


def _dtype(site: Site, expected: Expression) -> str | None:
    value = site.reader.item(expected)
    name = value.name if isinstance(value, DType) else value.value if isinstance(value, Static) else None
    return name if isinstance(name, str) and name in DTYPES else None


def _dims(site: Site, test: Test, known: Array | None) -> list[Dim] | None:
    """The sizes that a test asks for, None for those that it leaves open; None where not even their number is known."""
    own = None if known is None else known.shape
    match test.of:
        case "ndim":
            rank = dim_of(site.reader.item(test.expected))
            return list[Dim]([None] * rank) if isinstance(rank, int) and rank <= MOST_AXES else None
        case "shape":
            return _shape(site, test, own)
        case "like":
            other = site.reader.array_of(type_of(site.reader.api, test.expected))
            return None if other is None or other.shape is None else list(other.shape)
    position = None if test.axis is None else _position(site.reader.item(test.axis))
    if own is None or position is None or not -len(own) <= position < len(own):
        return None
    dims: list[Dim] = [None] * len(own)
    dims[position] = dim_of(site.reader.item(test.expected))
    return dims


def _shape(site: Site, test: Test, own: tuple[Dim, ...] | None) -> list[Dim] | None:
    """The sizes in a shape, of which some may not be known."""
    if not isinstance(test.expected, TupleExpr):
        value = site.reader.item(test.expected)
        return [dim_of(item) for item in value.items] if isinstance(value, Items) else None
    dims: list[Dim] = []
    for number, item in enumerate(test.expected.items):
        if isinstance(item, StarExpr):
            return None
        if isinstance(item, EllipsisExpr):  # chex's for any number of axes
            rest = len(test.expected.items) - number - 1
            if own is None or len(own) < number + rest:
                return None
            dims += [None] * (len(own) - number - rest)
        else:
            is_open = isinstance(item, SetExpr) or (isinstance(item, NameExpr) and item.name == "None")
            dims.append(None if is_open else dim_of(site.reader.item(item)))
    return dims


def _position(value: Value | None) -> int | None:
    return value.value if isinstance(value, Static) and type(value.value) is int else None
