"""The hook of jaxtyping's annotations, and of the names that a program gives to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mypy.nodes import SymbolTableNode, TypeAlias, TypeInfo
from mypy.options import Options
from mypy.plugin import AnalyzeTypeContext
from mypy.types import (
    AnyType,
    Instance,
    Type,
    TypeOfAny,
    UnboundType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.contracts.axes import Axis
from jaxtyping_core.contracts.dim_strings import DimStringError, parse
from jaxtyping_core_mypy import errors, names
from jaxtyping_core_mypy.convert.cached_reads import Readings
from jaxtyping_core_mypy.convert.dim_strings import signatures
from jaxtyping_core_mypy.convert.dim_strings.parts import bound_in
from jaxtyping_core_mypy.convert.dim_strings.shapes import Scope, contains_texts, dims_of, with_dims
from jaxtyping_core_mypy.convert.dim_strings.written import ANNOTATED, UNSAID, dtype_of, text_of

Hook = Callable[[AnalyzeTypeContext], Type]
#: The base of the classes by which programs name dtypes of their own.
OWN_DTYPE = "jaxtyping._array_types.AbstractDtype"


class DimStrings:
    """Reads jaxtyping's annotations before mypy drops what they say."""

    def __init__(self, lookup: Callable[[str], SymbolTableNode | None], options: Options) -> None:
        self._lookup = lookup
        self._options = options
        self._readings = Readings()

    def hook(self, fullname: str) -> Hook | None:
        """The hook of a name in an annotation, if it is one of jaxtyping's, or stands for such an annotation."""
        if self._readings.passes():
            return None
        if fullname in ANNOTATED:
            return self._guarded(self._annotation)
        if fullname.startswith(names.FOREIGN_TYPES):
            return None
        symbol = self._lookup(fullname)
        alias = symbol.node if symbol else None
        if isinstance(alias, TypeInfo) and any(base.fullname == OWN_DTYPE for base in alias.mro):
            return self._guarded(self._of_own_dtype)
        if isinstance(alias, TypeAlias) and not alias.alias_tvars and contains_texts(alias.target):
            return self._guarded(lambda ctx: self._alias(alias, ctx))
        return None

    def _guarded(self, hook: Hook) -> Hook:
        def guarded(ctx: AnalyzeTypeContext) -> Type:
            try:
                return hook(ctx)
            except Exception:  # a fault of the plugin is a less precise type, not a crash of mypy
                if self._options.show_traceback:
                    raise
                return AnyType(TypeOfAny.from_error)

        return guarded

    def _annotation(self, ctx: AnalyzeTypeContext) -> Type:
        """``Float[Array, "b n"]``; another ``Annotated`` is left to mypy."""
        api: Any = ctx.api
        written = ctx.type
        dtype = dtype_of(api.api.cur_mod_node.imports, written.name)
        if dtype is UNSAID or len(written.args) != 2 or api.api.cur_mod_node.is_stub:
            return self._readings.of(api, written)
        signature = signatures.around(api.api, written)
        if signature is not None and signature.prepared(api.api):
            return AnyType(TypeOfAny.special_form)  # the function is read again
        of_array = written.args[0]
        bound = bound_in(of_array)
        if isinstance(of_array, UnboundType) and bound:
            of_array = UnboundType(of_array.name, line=of_array.line, column=of_array.column)
        array: Type = get_proper_type(api.analyze_type(of_array))
        axes = self._axes(api, written.args[1])
        if axes is not None and signature is not None:
            axes = signature.without_labels(axes)
        members = [get_proper_type(each) for each in array.items] if isinstance(array, UnionType) else [array]
        arrays = [
            each for each in members if isinstance(each, Instance) and each.type.fullname == names.ARRAY
        ]
        if not arrays:
            return array
        anything = AnyType(TypeOfAny.special_form)
        elements = anything if dtype is None else self._class(api, str(dtype))
        if array is not arrays[0]:  # arrays of NumPy's as well, or numbers
            return array
        is_open = signature is not None and signature.is_inside_container(written)
        shape: Type = anything
        if axes is not None and not is_open and not (signature and signature.has_open_shape(written)):
            shape = dims_of(axes, self._scope(api, signature, written, bound))
        return arrays[0].copy_modified(args=[anything if is_open else elements, shape])

    def _of_own_dtype(self, ctx: AnalyzeTypeContext) -> Type:
        """``Small[Array, "b n"]``, after ``class Small(AbstractDtype)``: an array, of which nothing else is said."""
        api: Any = ctx.api
        written = ctx.type
        if not written.args:
            return self._readings.of(api, written)
        for text in written.args[1:]:
            self._axes(api, text)
        array: Type = api.analyze_type(written.args[0])
        return array

    def _alias(self, alias: TypeAlias, ctx: AnalyzeTypeContext) -> Type:
        """``Batch``, after ``Batch = Float[Array, "b n"]``."""
        api: Any = ctx.api
        signature = signatures.around(api.api, ctx.type)
        if signature is not None and signature.prepared(api.api):
            return AnyType(TypeOfAny.special_form)
        bound = {arg.name: arg for arg in ctx.type.args if isinstance(arg, UnboundType)}
        return with_dims(alias.target, self._scope(api, signature, ctx.type, bound))

    def _axes(self, api: Any, written: Type) -> tuple[Axis, ...] | None:
        """What the text says; None where there is none that is known, or it is wrong."""
        text = text_of(written)
        if text is None:
            return None
        try:
            return parse(text)
        except DimStringError as error:
            start = written.column + 1 + error.offset if "\n" not in text else written.column
            place = UnboundType("", line=written.line, column=start)
            place.end_line, place.end_column = written.end_line, written.end_column
            api.fail(errors.DIM_STRING.format(text=text, reason=error), place, code=errors.ARRAY_SHAPE)
            return None

    def _scope(
        self,
        api: Any,
        signature: signatures.Signature | None,
        written: UnboundType,
        bound: dict[str, UnboundType],
    ) -> Scope:
        """What dims mean where an annotation is written."""
        if api.defining_alias:
            return Scope(api.api, None)
        if signature is None:
            return Scope(api.api, lambda dim: signatures.variable_in_body(api, dim))

        def find(dim: str) -> Type | None:
            key = signatures.key_of(dim)
            return self._variable(api, bound[key], dim) if key in bound else None

        is_open = signature.is_inside_container(written)
        return Scope(api.api, find, signature.is_in_result(written), is_open)

    def _variable(self, api: Any, written: UnboundType, dim: str) -> Type | None:
        symbol = api.api.lookup_qualified(written.name, written, suppress_errors=True)
        variable = None if symbol is None else api.tvar_scope.get_binding(symbol)
        return None if variable is None else signatures.renamed(variable, dim)

    def _class(self, api: Any, dtype: str) -> Type:
        name = names.PRNG_KEY if dtype == "prng_key" else f"{names.SCALAR_TYPES}.{dtype}"
        symbol = self._lookup(name)
        if symbol is None or symbol.node is None:
            return AnyType(TypeOfAny.special_form)
        return Instance(symbol.node, [])  # type: ignore[arg-type]  # a class
