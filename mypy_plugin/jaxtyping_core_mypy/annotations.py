"""Array annotations: what the run time refuses is an error, in its words."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from mypy.errorcodes import MISC, VALID_TYPE
from mypy.nodes import SymbolTableNode
from mypy.options import Options
from mypy.plugin import AnalyzeTypeContext

from jaxtyping_core._annotations.array import ArrayMeta
from jaxtyping_core._annotations.elements import DTypeParameterError
from jaxtyping_core._annotations.shapes import no_shape
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import Type
from jaxtyping_core_mypy.convert.annotations import (
    RunTime,
    Written,
    annotation_of,
    parts,
    with_open_dims,
    with_open_shape,
    without_arguments,
)
from jaxtyping_core_mypy.convert.cached_reads import Readings
from jaxtyping_core_mypy.convert.dtype_annotations import ALIASES, OPEN, is_of_values
from jaxtyping_core_mypy.mypy_internals import take_back

Hook = Callable[[AnalyzeTypeContext], Type]


class Annotations:
    """Reads annotations before mypy does."""

    def __init__(self, lookup: Callable[[str], SymbolTableNode | None], options: Options) -> None:
        self._lookup = lookup
        self._options = options
        self._readings = Readings()

    def hook(self, fullname: str) -> Hook | None:
        """The hook of a name in an annotation; mypy asks for it wherever the name is."""
        if self._readings.passes():
            return None
        try:
            annotation = annotation_of(fullname, self._lookup)
        except Exception:  # a fault of the plugin is an error less, not a crash of mypy
            if self._options.show_traceback:
                raise
            return None
        if annotation is None and fullname in ALIASES:
            return functools.partial(self._read_dtype, ALIASES[fullname])
        return None if annotation is None else functools.partial(self._read, annotation)

    def _read(self, annotation: ArrayMeta, ctx: AnalyzeTypeContext) -> Type:
        api: Any = ctx.api
        written = ctx.type
        if written.args and not api.cur_mod_node.is_stub:
            error = _refusal(api, annotation, written)
            if error is not None:
                _report(api, error, written)
                written = without_arguments(written)
            return with_open_dims(self._readings.of(api, written))
        analyzed = self._readings.of(api, written)
        return analyzed if written.args else with_open_shape(analyzed)

    def _read_dtype(self, alias: str, ctx: AnalyzeTypeContext) -> Type:
        """A dtype: where a value is declared to be one, an array of it is meant."""
        api: Any = ctx.api
        statement = getattr(getattr(api, "api", None), "statement", None)
        if getattr(api, "defining_alias", True) or not is_of_values(ctx.type, statement):
            return self._readings.of(api, ctx.type)
        if not api.cur_mod_node.is_stub:
            api.fail(errors.DTYPE_AS_TYPE.format(dtype=ctx.type.name, alias=alias), ctx.type, code=VALID_TYPE)
        return OPEN


def _refusal(api: Any, annotation: ArrayMeta, written: Written) -> TypeError | None:
    """What the run time raises, if it certainly refuses the annotation as it is written."""
    run_time = RunTime(api)
    try:
        parameters = tuple(map(run_time.made, written.args))
        try:
            shape = annotation[parameters].__args__[1]
        except TypeError as error:
            return error
        # At run time each annotation is made for itself, and a type variable may stand for any shape.
        return no_shape(shape) if isinstance(shape, TypeVar) and shape in run_time.dims_around() else None
    except Exception:  # a fault of the plugin is an error less, not a crash of mypy
        if api.options.show_traceback:
            raise
        return None


def _report(api: Any, error: TypeError, written: Written) -> None:
    # On the right of an assignment mypy has read the annotation before, as an expression.
    places = {(part.line, part.column) for part in parts(written)}
    take_back(
        api.api.errors, lambda info: (info.line, info.column) in places and info.code in (MISC, VALID_TYPE)
    )
    code = errors.ARRAY_DTYPE if isinstance(error, DTypeParameterError) else errors.ARRAY_SHAPE
    api.fail(str(error), written, code=code)
