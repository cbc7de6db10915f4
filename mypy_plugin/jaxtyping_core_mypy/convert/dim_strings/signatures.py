"""The dims that a function's parameters name become type variables of the function.

mypy looks for the type variables of a function before it asks for the types of its parameters. So when the first annotation
of a function is read, its dims are written into the function's annotations as type variables, and mypy is
told to read the function once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mypy.nodes import (
    GDEF,
    INVARIANT,
    TYPE_VAR_KIND,
    TYPE_VAR_TUPLE_KIND,
    Decorator,
    FuncDef,
    NameExpr,
    Node,
    OverloadedFuncDef,
    SymbolTableNode,
    TypeParam,
    TypeVarExpr,
    TypeVarTupleExpr,
)
from mypy.types import (
    AnyType,
    CallableType,
    Type,
    TypeOfAny,
    TypeVarLikeType,
    TypeVarTupleType,
    TypeVarType,
    UnboundType,
)

from jaxtyping_core.contracts.axes import ANY_AXIS, Axis
from jaxtyping_core_mypy.convert.dim_strings.open_dims import compares_sizes, reassigned
from jaxtyping_core_mypy.convert.dim_strings.parts import axes_of, bound_in, is_of_arrays, walk
from jaxtyping_core_mypy.convert.dim_strings.spelling import SUFFIX
from jaxtyping_core_mypy.convert.dim_strings.written import ANNOTATED


def key_of(dim: str) -> str:
    """The name under which mypy's tables have the type variable of a dim.

    No program has such names, and mypy's daemon keeps names with that sign when it reads a module again.
    """
    return dim + SUFFIX


def renamed(variable: TypeVarLikeType, dim: str) -> TypeVarLikeType:
    """A type variable with the name of the dim, as messages show it."""
    if isinstance(variable, TypeVarTupleType):
        return TypeVarTupleType(
            dim,
            variable.fullname,
            variable.id,
            variable.upper_bound,
            variable.tuple_fallback,
            variable.default,
        )
    assert isinstance(variable, TypeVarType)
    return TypeVarType(
        dim, variable.fullname, variable.id, [], variable.upper_bound, variable.default, variable.variance
    )


def variable_in_body(api: Any, dim: str) -> Type | None:
    """The type variable of a dim in the body of the function that has it."""
    stack, key = api.api.function_stack, key_of(dim)
    symbol = api.api.globals.get(key)
    for table in reversed(api.api.locals):
        if table is not None and key in table:
            symbol = table[key]
    if not stack or symbol is None or not isinstance(stack[-1], FuncDef):
        return None
    variable = api.tvar_scope.get_binding(symbol)
    if variable is None or variable.id.namespace.partition("#")[0] != stack[-1].fullname:
        return None
    return renamed(variable, dim)


class Signature:
    """The annotations of one function."""

    def __init__(self, api: Any, function: FuncDef, signature: CallableType) -> None:
        self._api = api
        self._function = function
        self._signature = signature

    def prepared(self, api: Any) -> bool:
        """Whether the dims have been written into the annotations only now, so that mypy has to read them again."""
        if api.final_iteration:
            return False
        dims = self._dims()
        if not dims or not self._write(dims):
            return False
        self._declare(dims)
        self._signature.variables = ()
        api.defer(force_progress=True)
        api.record_incomplete_ref()
        return True

    def is_inside_container(self, written: UnboundType) -> bool:
        """Whether an annotation stands where only the very same type fits, as in ``list[Float[Array, "n"]]``."""
        return any(part is written and inside for part, inside, _ in self.parts())

    def has_open_shape(self, written: UnboundType) -> bool:
        """Whether an annotation is of a parameter that a loop gives arrays of other shapes to."""
        changed = reassigned(self._function)
        return any(
            part is written
            for argument, typ in zip(self._function.arguments, self._signature.arg_types, strict=True)
            if argument.variable.name in changed
            for part, _, _ in walk(self._api, typ)
        )

    def is_in_result(self, written: UnboundType) -> bool:
        """Whether an annotation is one of what the function returns."""
        parts = walk(self._api, self._signature.ret_type)
        return any(part is written and not called for part, _, called in parts)

    def without_labels(self, axes: Iterable[Axis]) -> tuple[Axis, ...]:
        """Axes of the function, of any size where another one has their name for a label: ``x: "rows=3 d", y: "rows d"``."""
        labels = self._labels()
        return tuple(ANY_AXIS if axis.name in labels and not axis.variadic else axis for axis in axes)

    def _labels(self) -> set[str | None]:
        """What stands before sizes in the function's annotations."""
        axes = (axis for part, _, _ in self.parts() for axis in axes_of(self._api, part))
        return {axis.label for axis in axes} - {None}

    def _dims(self) -> dict[str, bool]:
        """The dims that the parameters name, each with whether it stands for several axes."""
        dims: dict[str, bool] = {}
        # mypy takes the type variables of ``__init__`` for rigid ones where ``cls(...)`` calls it.
        if self._function.name == "__init__" or compares_sizes(self._function) or self._is_implementation():
            return dims
        for typ in self._binding(optional=False):
            for part, inside, called in walk(self._api, typ):
                if not inside and not called and is_of_arrays(self._api, part):
                    for axis in axes_of(self._api, part):
                        if axis.fixed_name is not None:
                            dims.setdefault(axis.fixed_name, axis.variadic)
        labels = self._labels()
        return {
            dim: variadic
            for dim, variadic in dims.items()
            if dim not in labels and not self._is_bound_around(dim)
        }

    def _binding(self, *, optional: bool) -> Iterator[Type]:
        """The types of the parameters whose dims a call gives: one with a default may be left out.

        What ``x: Float[Array, "n"] | None = None`` names is a dim of the function if another parameter gives it (`optional`).
        Other defaults may have any size.
        """
        for argument, typ in zip(self._function.arguments, self._signature.arg_types, strict=True):
            default = argument.initializer
            if default is None or (optional and isinstance(default, NameExpr) and default.name == "None"):
                yield typ

    def _is_implementation(self) -> bool:
        """Whether a function implements overloads, which say what calls give: mypy compares their type variables with its own."""
        cls = self._api.type
        around = cls.defn.defs.body if cls is not None else self._api.cur_mod_node.defs
        parts = [part for node in around if isinstance(node, OverloadedFuncDef) for part in node.items]
        own = [part for part in parts if getattr(part, "func", part) is self._function]
        return bool(own) and not _is_overload(own[0])

    def _is_bound_around(self, dim: str) -> bool:
        symbol = self._api.globals.get(key_of(dim))
        binding = None if symbol is None else self._api.tvar_scope.get_binding(symbol)
        return binding is not None and binding.id.namespace.partition("#")[0] != self._function.fullname

    def _write(self, dims: dict[str, bool]) -> bool:
        """Write the dims into the annotations that name them; whether there was anything to write."""
        wrote = False
        for typ in (*self._binding(optional=True), self._signature.ret_type):
            for part, inside, _ in walk(self._api, typ):
                named = {name for axis in axes_of(self._api, part) for name in axis.symbols}
                keys = [key_of(dim) for dim in dims if dim in named]
                if not inside and keys and isinstance(part, UnboundType):
                    wrote |= _attach(self._api, part, keys)
        return wrote

    def _declare(self, dims: dict[str, bool]) -> None:
        """Make the type variables known: in the module, or as type parameters where the function has such."""
        if self._function.type_args:
            known = {parameter.name for parameter in self._function.type_args}
            for dim, variadic in dims.items():
                if key_of(dim) not in known:
                    kind = TYPE_VAR_TUPLE_KIND if variadic else TYPE_VAR_KIND
                    self._function.type_args.append(TypeParam(key_of(dim), kind, None, [], None))
            return
        for dim, variadic in dims.items():
            symbol = self._api.globals.get(key_of(dim))
            if symbol is None or isinstance(symbol.node, TypeVarTupleExpr) != variadic:
                node = _expression(self._api, key_of(dim), variadic)
                self._api.globals[key_of(dim)] = SymbolTableNode(GDEF, node, module_public=False)

    def parts(self) -> Iterator[tuple[Type, bool, bool]]:
        for typ in (*self._signature.arg_types, self._signature.ret_type):
            yield from walk(self._api, typ)


def around(api: Any, written: UnboundType) -> Signature | None:
    """The signature that an annotation is a part of; None if it stands elsewhere."""
    function = api.statement
    if not isinstance(function, FuncDef) or not isinstance(function.type, CallableType):
        return None
    signature = Signature(api, function, function.type)
    return signature if any(part is written for part, _, _ in signature.parts()) else None


def _is_overload(part: Node) -> bool:
    """Whether ``@overload`` stands before a function."""
    written = part.original_decorators if isinstance(part, Decorator) else []
    return any(getattr(each, "name", "") == "overload" for each in written)


def _attach(api: Any, part: UnboundType, keys: list[str]) -> bool:
    """Write type variables into an annotation, where mypy looks for such; whether they were not there yet."""
    symbol = api.lookup_qualified(part.name, part, suppress_errors=True)
    target = part
    if symbol is not None and symbol.fullname in ANNOTATED:
        if not isinstance(part.args[0], UnboundType):
            return False
        target = part.args[0]
    if set(keys) <= bound_in(target).keys():
        return False
    if target.args and not bound_in(target):  # arguments of the program's own
        return False
    args = [UnboundType(key, line=part.line, column=part.column) for key in keys]
    new = UnboundType(target.name, args, line=target.line, column=target.column)
    if target is part:
        part.args = new.args
    else:
        part.args = (new, *part.args[1:])
    return True


def _expression(api: Any, key: str, variadic: bool) -> TypeVarExpr | TypeVarTupleExpr:
    fullname = f"{api.cur_mod_id}.{key}"
    anything = api.named_type("builtins.object")
    if variadic:
        of_objects = api.named_type("builtins.tuple", [anything])
        return TypeVarTupleExpr(key, fullname, of_objects, of_objects, _unsaid())
    return TypeVarExpr(key, fullname, [], anything, _unsaid(), INVARIANT)


def _unsaid() -> AnyType:
    return AnyType(TypeOfAny.special_form)
