"""Types with less in them: arrays of any dtype and shape, and what is left of sizes that mypy joined."""

from __future__ import annotations

from mypy.types import (
    AnyType,
    Instance,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeTranslator,
    get_proper_type,
)

from jaxtyping_core_mypy import names

#: The attribute under which the type of a `functools.partial` carries the signature that is left of its function.
PARTIAL_SIGNATURE = "__mypy_partial"


class _Widen(TypeTranslator):
    """Every precise array becomes an array of any shape and, unless `keep_dtype`, of any dtype.

    An array's dtype object then becomes a NumPy dtype, as any other dtype object is.
    """

    def __init__(self, keep_dtype: bool = False) -> None:
        super().__init__()
        self.keep_dtype = keep_dtype

    def visit_instance(self, t: Instance) -> Type:
        if t.type.fullname in names.ARRAYS:
            dtype = t.args[0] if self.keep_dtype and t.args else AnyType(TypeOfAny.special_form)
            return t.copy_modified(args=[dtype, AnyType(TypeOfAny.special_form)])
        if t.type.fullname == names.DTYPE_OBJECT and not self.keep_dtype:
            return t.type.bases[0]
        if t.type.fullname in names.RESULTS:
            return AnyType(TypeOfAny.special_form)
        widened = super().visit_instance(t)
        # mypy keeps the signature of a `functools.partial` beside its type arguments.
        signature = t.extra_attrs.attrs.get(PARTIAL_SIGNATURE) if t.extra_attrs else None
        if signature is not None and isinstance(widened, Instance):
            return widened.copy_with_extra_attr(PARTIAL_SIGNATURE, signature.accept(self))
        return widened

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)  # a recursive one has no end


class _Reopen(TypeTranslator):
    """The sizes that mypy joined to ``int`` or ``object`` become unknown ones, which fit every declared size."""

    def visit_instance(self, t: Instance) -> Type:
        shape = get_proper_type(t.args[1]) if t.type.fullname in names.ARRAYS and len(t.args) == 2 else None
        if not isinstance(shape, TupleType):
            return super().visit_instance(t)
        items = [AnyType(TypeOfAny.special_form) if _is_joined(item) else item for item in shape.items]
        return t.copy_modified(args=[t.args[0], shape.copy_modified(items=items)])

    def visit_type_alias_type(self, t: TypeAliasType) -> Type:
        return t if t.is_recursive else get_proper_type(t).accept(self)  # a recursive one has no end


def _is_joined(dim: Type) -> bool:
    proper = get_proper_type(dim)
    if not isinstance(proper, Instance) or proper.last_known_value is not None:
        return False
    return proper.type.fullname in ("builtins.int", "builtins.object")


def reopen(typ: Type) -> Type:
    """What comes out of a container, with unknown sizes where mypy joined different ones."""
    return typ if isinstance(typ, Instance) and not typ.args else typ.accept(_Reopen())


def widen(typ: Type, keep_dtype: bool = False) -> Type:
    """`typ` with every array in it an array of any shape and, unless `keep_dtype`, of any dtype."""
    return typ if is_wide(typ) else typ.accept(_Widen(keep_dtype))


def is_wide(typ: Type) -> bool:
    """Whether nothing is precise in `typ`, as is plain of most types."""
    if not isinstance(typ, Instance) or typ.extra_attrs is not None:
        return False
    return typ.type.fullname not in (names.DTYPE_OBJECT, *names.RESULTS) and all(
        isinstance(arg, AnyType) for arg in typ.args
    )
