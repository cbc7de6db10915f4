"""NumPy's arrays and scalars as operands: JAX takes them in with their own dtype, 64-bit ones as its own."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable

from mypy.nodes import TypeInfo
from mypy.type_visitor import TypeTranslator
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    get_proper_type,
)

from jaxtyping_core.domain.values import Array
from jaxtyping_core.dtypes import DTYPES, PYTHON_SCALARS, canonical
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import Symbols, class_itself, dtype_of_info, read_array, read_dims

#: numpy's generic scalar classes, parametrised by width in bits; a complex number has two such parts.
PREFIXES = {"signedinteger": "int", "unsignedinteger": "uint", "floating": "float"}
WIDTH = re.compile(r"_(\d+)Bit")


def read_numpy(typ: Type, symbols: Symbols, x64: bool) -> Array | None:
    """What is known of a NumPy array or scalar as an operand of JAX; None if `typ` is neither.

    A dtype that is not one of JAX's (strings, dates, objects) is unknown. So are sizes that no annotation declares: to NumPy's stubs
    `np.zeros((2, 4)).T` has the shape of `np.zeros((2, 4))`.
    What `Like` declares is the array that JAX makes of it.
    """
    proper = get_proper_type(typ)
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname == names.CONVERTED and proper.args:
        return read_array(proper.args[0], symbols, x64)
    if proper.type.fullname == names.NDARRAY and len(proper.args) == 2:
        dtype = get_proper_type(proper.args[1])
        scalar = dtype.args[0] if isinstance(dtype, Instance) and dtype.args else None
        name = None if scalar is None else read_numpy_dtype(scalar)
        return Array.of(name and canonical(name, x64), False, read_dims(_declared(proper.args[0]), symbols))
    name = read_numpy_dtype(proper)
    return None if name is None else Array.of(canonical(name, x64), False, ())


def _declared(shape: Type) -> Type:
    """A shape without the sizes that mypy has seen as values."""
    proper = get_proper_type(shape)
    if not isinstance(proper, TupleType):
        return proper
    items: list[Type] = [
        item.copy_modified(last_known_value=None) if isinstance(item, Instance) else item
        for item in map(get_proper_type, proper.items)
    ]
    return proper.copy_modified(items=items)


def is_numpy(typ: Type) -> bool:
    """Whether `typ` is a NumPy array."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and proper.type.fullname == names.NDARRAY


def is_numpy_integer(typ: Type) -> bool:
    """Whether `typ` is a scalar of NumPy that is an integer."""
    dtype = read_numpy_dtype(typ)
    return dtype is not None and DTYPES[dtype].kind in "iu"


def number_dtype(typ: Type) -> str | None:
    """The dtype that a number is to NumPy; None for what is none, or none of JAX's."""
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    name = proper.type.fullname if isinstance(proper, Instance) else ""
    return _of_numbers().get(name) or read_numpy_dtype(proper)


@functools.cache
def _of_numbers() -> dict[str, str]:
    """What Python's numbers are to NumPy."""
    import numpy as np  # which takes long, and is not needed by most programs

    return {f"builtins.{kind.__name__}": np.dtype(kind).name for kind in PYTHON_SCALARS}


def scalar_of(dtype: str, find_class: Callable[[str], TypeInfo]) -> Type | None:
    """NumPy's scalar of a dtype; None where its stubs have no class for it."""
    with contextlib.suppress(LookupError):
        info = find_class(f"numpy.{dtype}")
        return Instance(info, [AnyType(TypeOfAny.special_form)] * len(info.type_vars))
    # The others are a generic class of so many bits.
    kind, bits = dtype.rstrip("0123456789"), dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
    generic = next((name for name, start in PREFIXES.items() if start == kind), None)
    with contextlib.suppress(LookupError):
        width = find_class(f"numpy._typing._nbit_base._{bits}Bit")
        return None if generic is None else Instance(find_class(f"numpy.{generic}"), [Instance(width, [])])
    return None


def given_dtype(argument: Type) -> str | None:
    """The dtype whose class in JAX an argument is; None for other arguments, classes of NumPy among them."""
    info = class_itself(argument)
    dtype = None if info is None else dtype_of_info(info)
    return dtype if dtype in DTYPES else None


def with_scalar(typ: Type, scalar: Type | None) -> Type:
    """What a function of NumPy returns, with another scalar class in place of that which its stubs say; None is any."""
    return typ.accept(_WithScalar(scalar or AnyType(TypeOfAny.special_form)))


class _WithScalar(TypeTranslator):
    def __init__(self, scalar: Type) -> None:
        super().__init__()
        self.scalar = scalar

    def visit_instance(self, t: Instance, /) -> Type:
        if t.type.has_base("numpy.generic"):
            return self.scalar
        is_dtype = t.type.fullname == "numpy.dtype"
        return t.copy_modified(args=[self.scalar]) if is_dtype else super().visit_instance(t)

    def visit_type_alias_type(self, t: TypeAliasType, /) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)


def read_numpy_dtype(scalar: Type) -> str | None:
    """The dtype that one of NumPy's scalar classes stands for; None if it is none of JAX's."""
    proper = get_proper_type(scalar)
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname == names.BFLOAT16_SCALAR:
        return "bfloat16"
    if proper.type.module_name.partition(".")[0] != "numpy":
        return None
    name = proper.type.name
    if name in ("bool", "bool_"):
        return "bool"
    if name == "complexfloating":
        widths = [_width(arg) for arg in proper.args]
        name = f"complex{sum(w or 0 for w in widths)}" if all(widths) else name
    elif name in PREFIXES and proper.args:
        name = f"{PREFIXES[name]}{_width(proper.args[0])}"
    return name if name in DTYPES else None


def _width(bits: Type) -> int | None:
    proper = get_proper_type(bits)
    match = WIDTH.fullmatch(proper.type.name) if isinstance(proper, Instance) else None
    return int(match[1]) if match else None
