"""What a call of a function of the program gives by what the function declares, where the walk of its body does not tell.

The names in the annotations stand for sizes of the call's arguments. Like a type checker, this believes what is declared.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...domain.arrays import supported
from ...domain.dims import Dim, Shape
from ...identity import identity
from ...sampling.sizes import written
from ..libraries.jax.transformations import KEEPING
from ..values import arrays
from ..values.unknowns import UNKNOWN, Callee, Instance, is_dim
from .assumptions import evaluated, forms_of, made, result_of
from .attributes import own_member
from .comparable import contracts
from .declarations import form_of as annotation_form
from .object_forms import Objects

if TYPE_CHECKING:
    from ...domain.arrays import AbstractArray
    from ..interpreter import Interpreter
    from ..scopes import Scope
    from ..values.callables import Function

#: Wrappings of a function within each other.
DEEPEST = 8


def refined(interpreter: Interpreter, function: Function, bound: Mapping[str, Any], value: Any) -> Any:
    """What a call gives of which the walk knows `value`.

    Where errors are reported this is left as it is: what is declared may be wrong.
    """
    if not interpreter.context.believes or not _is_open(value):
        return value
    form = result_of(interpreter, function)
    if form is None:
        return value
    return _declared(form, forms_of(interpreter, function), bound, value)


def _declared(form: Any, forms: Mapping[str, Any], bound: Mapping[str, Any], value: Any) -> Any:
    """`value`, and what a form says where it says nothing; names in it stand for sizes of what is `bound` to parameters."""
    names = contracts("binding").Environment(arguments=dict(bound), evaluate=evaluated)
    try:
        fits = [_bind(form, bound.get(name), names) for name, form in forms.items()]
        if False in fits:
            return value
        declared = contracts("assuming").assume_form(form, _Known(names), names, "return")
    except contracts("binding").Excluded:
        return value
    return _both(value, made(declared))


def of_call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call gives of which the walk knows nothing, through decorators that leave the result of a function as it is."""
    if not interpreter.context.believes:
        return UNKNOWN
    if isinstance(f, type) and f in interpreter.classes:
        if type(f) in interpreter.classes or own_member(interpreter, f, "__new__") is not None:
            return UNKNOWN  # what they make may be anything
        return _declared(Objects(interpreter).form(f), {}, {}, UNKNOWN)
    function, bound = _behind(interpreter, f, args)
    if (
        function is None
        or function.is_generator
        or isinstance(function.node, ast.Lambda | ast.AsyncFunctionDef)
    ):
        return UNKNOWN
    try:
        arguments = function.signature.bind_partial(*bound, **kwargs).arguments
    except TypeError:
        return UNKNOWN
    return refined(interpreter, function, arguments, UNKNOWN)


def _behind(interpreter: Interpreter, f: Any, args: list[Any]) -> tuple[Function | None, list[Any]]:
    """The function of the program that a call leads to, and its arguments; None if there is none, or something in between."""
    for _ in range(DEEPEST):
        if isinstance(f, types.MethodType):
            f, args = _function_of(interpreter, f), [f.__self__, *args]
        elif identity(f) in interpreter.made and interpreter.made[identity(f)].kind in KEEPING:
            f = interpreter.made[identity(f)].function
        elif type(f) in interpreter.classes:
            f, args = own_member(interpreter, type(f), "__call__"), [f, *args]
        else:
            break
    return interpreter.functions.get(identity(f)), args


def _function_of(interpreter: Interpreter, method: types.MethodType) -> Any:
    """The function of a method, without what the library of a base makes of it."""
    function, cls = method.__func__, type(method.__self__)
    if identity(function) in interpreter.functions or cls not in interpreter.classes:
        return function
    return own_member(interpreter, cls, method.__name__)


def of_callee(f: Callee, args: list[Any]) -> Any:
    """What a function gives that is known by what it declares."""
    names = contracts("binding").Environment(evaluate=evaluated)
    forms = f.form.parameters
    try:
        if forms is not None and (
            len(forms) != len(args)
            or False in [_bind(*each, names) for each in zip(forms, args, strict=True)]
        ):
            return UNKNOWN
        supply = _Known(names, f.dims.sizes)
        return made(contracts("assuming").assume_form(f.form.returned, supply, names, "return"), f.sizes)
    except contracts("binding").Excluded:
        return UNKNOWN


def of_variable(interpreter: Interpreter, node: ast.AnnAssign, value: Any, scope: Scope) -> Any:
    """What an annotated variable holds of whose value the walk knows `value`."""
    if (
        not interpreter.context.believes
        or not interpreter.frames
        or not _is_open(value)
        or contracts("alternatives") is None
    ):
        return value
    function, bound = interpreter.frame.function, interpreter.frame.bound
    form = annotation_form(interpreter, node.annotation, scope)
    if function is None or form is None:
        return value
    return _declared(form, forms_of(interpreter, function), bound, value)


class _Known:
    """Gives sizes to the names that the arguments of a call leave open: what they are known to stand for around it."""

    def __init__(self, names: Any, around: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._around = around
        self._several = {key: shape for key, (_, shape) in names.several.items()}
        self._each = {
            f"{key}_{i}": size for key, shape in self._several.items() for i, size in enumerate(shape)
        }

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Dim:
        size: Dim = {**self._around, **self._each}.get(name)
        return self.unnamed(allowed) if size is None else size

    def unnamed(self, allowed: frozenset[int] | None = None) -> Dim:
        return next(iter(allowed)) if allowed is not None and len(allowed) == 1 else None

    def or_one(self, shape: tuple[Dim, ...]) -> tuple[Dim, ...]:
        return (None,) * len(shape)

    def count(self, axis: Any, path: str) -> int | None:
        return len(self._several[axis.name]) if axis.name in self._several else None


def _is_open(value: Any) -> bool:
    if type(value) is tuple:
        return any(map(_is_open, value))
    if value is UNKNOWN:
        return True
    known = arrays.known_of(value)
    return known is not None and (
        known.dtype is None or known.shape is None or any(map(arrays.is_unknown_size, known.shape))
    )


def _bind(form: Any, value: Any, names: Any) -> bool | None:
    """Have names stand for the sizes of an argument; False if it is not as declared."""
    forms = contracts("forms")
    known = arrays.known_of(value)
    match form:
        case forms.ArrayForm(axes=axes) if axes is not None and known is not None:
            fits: bool | None = names.accepts(axes, _shape(known.shape))
            return fits
        case forms.Items(items=items) if type(value) is tuple and len(value) == len(items):
            each = [_bind(item, part, names) for item, part in zip(items, value, strict=True)]
            return False not in each
        case forms.Object(fields=fields) if fields:
            held = _fields(value)
            return False not in [_bind(field.form, held.get(field.name), names) for field in fields]
        case forms.Scalar(size=size) if size is not None and (type(value) is int or is_dim(value)):
            names.bind(size, value if type(value) is int else written(value))
    return None


def _fields(value: Any) -> Mapping[str, Any]:
    if type(value) is dict:
        return value
    return value.fields if isinstance(value, Instance) else arrays.object_fields(value) or {}


def _shape(dims: Any) -> Shape:
    if dims is None:
        return None
    return tuple(dim if type(dim) is int or dim is None else written(dim) for dim in dims)


def _both(value: Any, declared: Any) -> Any:
    """What the walk knows, and where that is nothing what is declared."""
    if value is UNKNOWN:
        return declared
    if type(value) is type(declared) is tuple and len(value) == len(declared):
        return tuple(map(_both, value, declared))
    known, other = arrays.known_of(value), arrays.known_of(declared)
    if known is None or other is None or not _may_agree(known, other):
        return value
    shape = known.shape
    if shape is None:
        shape = other.shape
    elif other.shape is not None and len(shape) == len(other.shape):
        shape = tuple(b if arrays.is_unknown_size(a) else a for a, b in zip(shape, other.shape, strict=True))
    if known.dtypes is None and other.dtypes is not None:
        known = replace(known, dtypes=other.dtypes, weak=other.weak)
    return arrays.of_known(replace(known, shape=shape))


def _may_agree(known: AbstractArray, declared: AbstractArray) -> bool:
    """Whether one array can be both: of a result that is not as declared, nothing that is declared is believed."""
    agreed = supported(declared, [known])
    return agreed.dtypes == declared.dtypes and agreed.shape == declared.shape
