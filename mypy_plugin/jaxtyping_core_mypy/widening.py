"""Precise arrays in variables that live longer than one expression.

mypy fixes the type of an attribute at its first assignment and of a container at its display. With exact
shapes that would refuse ``self.h = self.h @ w`` and ``xs.append(y)``. Attributes whose type was inferred are
therefore widened to any dtype and shape, for assignments and for reads (mypy still narrows to the precise
type right after an assignment), and so are containers when something is put into them. What comes out of a
container of several shapes has unknown sizes where they differ.
"""

from __future__ import annotations

from mypy.nodes import Expression, MemberExpr, NameExpr, Var
from mypy.plugin import AttributeContext, MethodContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeTranslator,
    TypeType,
    get_proper_type,
)

from jaxtyping_core_mypy import names

#: The attribute under which the type of a `functools.partial` carries the signature that is left of its function.
PARTIAL_SIGNATURE = "__mypy_partial"
MUTATORS = {
    "builtins.list": ("append", "insert", "extend", "__setitem__", "__iadd__"),
    "builtins.dict": ("__setitem__", "update", "setdefault", "__ior__"),
    "builtins.set": ("add", "update"),
    "collections.deque": ("append", "appendleft", "extend", "extendleft", "insert", "__setitem__"),
    "typing.MutableSequence": ("append", "insert", "extend", "__setitem__", "__iadd__"),
    "typing.MutableMapping": ("__setitem__", "update", "setdefault"),
    "typing.MutableSet": ("add",),
}
READERS = {
    "builtins.list": ("__getitem__", "pop"),
    "builtins.dict": ("__getitem__", "get", "pop"),
    "collections.deque": ("__getitem__", "pop", "popleft"),
    "typing.Sequence": ("__getitem__",),
    "typing.Mapping": ("__getitem__", "get"),
    "typing.Iterator": ("__next__",),
}


def _full_names(table: dict[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(f"{cls}.{method}" for cls, methods in table.items() for method in methods)


MUTATOR_METHODS = _full_names(MUTATORS)
READER_METHODS = _full_names(READERS)


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


def reader_callback(ctx: MethodContext) -> Type:
    """The hook of a method that takes something out of a container."""
    typ = ctx.default_return_type
    return typ if isinstance(typ, Instance) and not typ.args else typ.accept(_Reopen())


def widen(typ: Type, keep_dtype: bool = False) -> Type:
    """`typ` with every array in it an array of any shape and, unless `keep_dtype`, of any dtype."""
    return typ if _is_wide(typ) else typ.accept(_Widen(keep_dtype))


def _is_wide(typ: Type) -> bool:
    """Whether nothing is precise in `typ`, as is plain of most types."""
    if not isinstance(typ, Instance) or typ.extra_attrs is not None:
        return False
    return typ.type.fullname != names.DTYPE_OBJECT and all(isinstance(arg, AnyType) for arg in typ.args)


def attribute_callback(ctx: AttributeContext) -> Type:
    """The hook of every attribute of the user's classes."""
    if _is_wide(ctx.default_attr_type):
        return ctx.default_attr_type
    owner = ctx.type
    if isinstance(owner, TypeType):
        owner = owner.item
    if isinstance(owner, FunctionLike) and owner.is_type_obj():
        info = owner.type_object()
    elif isinstance(owner, Instance):
        info = owner.type
    else:
        return ctx.default_attr_type
    name = ctx.context.name if isinstance(ctx.context, MemberExpr) else None
    symbol = info.get(name) if name else None
    if symbol is not None and isinstance(symbol.node, Var) and symbol.node.is_inferred:
        return widen(ctx.default_attr_type)
    return ctx.default_attr_type


def mutator_callback(ctx: MethodSigContext) -> CallableType:
    """The hook of a method that puts something into a container."""
    wide = widen(ctx.type)
    if wide == ctx.type:
        return ctx.default_signature
    receiver = _receiver(ctx)
    if (
        isinstance(receiver, (NameExpr, MemberExpr))
        and isinstance(receiver.node, Var)
        and receiver.node.is_inferred
    ):
        receiver.node.type = wide
        ctx.api.binder.put(receiver, wide)  # type: ignore[attr-defined]  # the checker's, not in the interface
        widened = widen(ctx.default_signature)
        assert isinstance(widened, CallableType)
        return widened
    return ctx.default_signature


def _receiver(ctx: MethodSigContext) -> Expression | None:
    """The container expression of ``xs.append(y)``, ``xs[0] = y`` and ``xs += ys``."""
    from mypy.nodes import CallExpr, IndexExpr, OperatorAssignmentStmt

    context = ctx.context
    if isinstance(context, CallExpr) and isinstance(context.callee, MemberExpr):
        return context.callee.expr
    if isinstance(context, IndexExpr):
        return context.base
    if isinstance(context, OperatorAssignmentStmt):
        return context.lvalue
    return context if isinstance(context, (NameExpr, MemberExpr)) else None
