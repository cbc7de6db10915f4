"""The arguments of calls that nothing makes, by what a function declares.

`contracts.assume` says what a call may pass; here are the values that the walk has for that. A named size is a symbol of JAX's, of
which JAX decides what follows: where it would have to know more of it, nothing is known.
"""

from __future__ import annotations

import ast
import collections
import typing
from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import jax

from ...domain.arrays import AbstractArray
from ...domain.expressions import calculate
from ...sampling.tables.dtypes import ASSUMED_DTYPES
from ...sampling.tables.ranks import ASSUMED_RANKS
from ..bodies import kept_readings
from ..values import arrays
from ..values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    Callee,
    Instance,
    NumpyArray,
    is_dim,
)
from .comparable import contracts
from .declarations import parameters, read, value_of, with_parameters, with_stars
from .object_forms import Objects

if TYPE_CHECKING:
    from ..interpreter import Interpreter
    from ..scopes import Scope
    from ..values.callables import Function

#: Types of values that stand for themselves.
PLAIN = (type(None), bool, int, float, complex, str)
#: What computing a size raises that there is not.
NO_SIZE = (ValueError, TypeError, ArithmeticError)


class Sizes(dict[str, int]):
    """Numbers for the names of sizes, in turn.

    Args:
        numbers: the numbers.
        dtype: which of several dtypes an array has.
        open: names that stand for unknown sizes.
    """

    def __init__(self, numbers: Iterator[int], dtype: int = 0, open: Container[str] = ()) -> None:
        self._numbers, self._dtype, self._open = numbers, dtype, open

    def __missing__(self, name: str) -> int:
        if name in self._open:
            raise KeyError(name)
        self[name] = next(self._numbers)
        return self[name]

    def choose(self, dtypes: frozenset[str] | None) -> str:
        """One of several dtypes; None is all of them."""
        allowed = [name for name in ASSUMED_DTYPES if dtypes is None or name in dtypes] or ASSUMED_DTYPES[:1]
        return allowed[self._dtype % len(allowed)]


def calls(
    interpreter: Interpreter,
    function: Function,
    sizes: Sizes | None = None,
    outer: Function | None = None,
    forms: dict[str, Any] | None = None,
) -> Iterator[dict[str, Any]]:
    """The arguments of the calls that stand for all of a function, as far as it declares them.

    Args:
        sizes: numbers for names of sizes, in place of symbols.
        outer: the function in which it stands, whose names stand for other sizes.
        forms: what its parameters are, if not all that it declares.
    """
    forms = forms_of(interpreter, function) if forms is None else forms
    if not forms:
        yield {}
        return
    outer_forms = forms_of(interpreter, outer) if outer is not None and _captures(function) else {}
    taken = {name for form in outer_forms.values() for name in contracts("reading").names_in(form)}
    for rank in ASSUMED_RANKS if any(map(_is_variadic, forms.values())) else ASSUMED_RANKS[:1]:
        for chosen in contracts("alternatives").calls(_assumed(forms, rank, taken)):
            values = {name: made(value, sizes) for name, value in chosen.items()}
            yield {name: _in_stars(function, name, value) for name, value in values.items()}


def _assumed(forms: dict[str, Any], rank: int, taken: Container[str]) -> dict[str, Any]:
    """What a caller may pass, where names for several axes stand for so many, and no size of a name that is taken is known."""
    assuming, names = contracts("assuming"), contracts("binding").Environment(evaluate=evaluated)
    try:
        return {
            name: assuming.assume_form(form, assuming.Symbols(rank, taken), names, name)
            for name, form in forms.items()
        }
    except contracts("binding").Excluded:
        return {}


def evaluated(text: str, names: Mapping[str, Any]) -> Any:
    """The size that a formula comes to. No text of the program is evaluated by Python: what is no arithmetic is not known.

    Raises:
        NameError: it is not known.
    """
    try:
        size = calculate(text, _Named(names))
    except (KeyError, *NO_SIZE, jax.errors.InconclusiveDimensionOperation):
        raise NameError(text) from None
    if type(size) is not int and not is_dim(size):
        raise NameError(text)
    return size


class _Named(dict[str, Any]):
    """Sizes under their names: ints, and symbols for texts."""

    def __getitem__(self, name: str) -> Any:
        held = super().__getitem__(name)
        return arrays.size_by_names(held) if isinstance(held, str) else held


def _is_variadic(form: Any) -> bool:
    return any(
        axis.variadic
        for part in contracts("forms").inside(form)
        if type(part).__name__ == "ArrayForm"
        for axis in part.axes or ()
    )


def is_at_top_level(function: Function) -> bool:
    """Whether a function sees no variables of others: it is one of a module, or of a class of one."""
    scope: Scope | None = function.scope
    while scope is not None and scope.of_class:
        scope = scope.parent
    return scope is not None and scope.parent is None


def inner(interpreter: Interpreter, outer: Function, known: Container[int]) -> list[Function]:
    """The functions that a walk of `outer` has made in it and that declare arrays; they see what it has at its end.

    Functions that see a variable which gets several values in turn are left out: their calls may have seen another one.
    """
    changing = _changing(outer.node)
    new = [function for number, function in interpreter.functions.items() if number not in known]
    return [
        function
        for function in new
        if not is_at_top_level(function)
        and function.cls is None
        and declares_arrays(interpreter, function)
        and changing.isdisjoint(_captured(function.node))
    ]


def _changing(node: ast.AST) -> set[str]:
    """The variables of a function that get several values in turn."""
    names = [part.arg for part in ast.walk(node) if isinstance(part, ast.arg)]
    names += _stored(node)
    for part in ast.walk(node):
        if isinstance(part, ast.For | ast.While):
            names += _stored(part)
    return {name for name, count in collections.Counter(names).items() if count > 1}


def _captured(node: ast.AST) -> set[str]:
    """The names in a function that are not its own."""
    own = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)} | {*_stored(node)}
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - own


def _captures(function: Function) -> bool:
    """Whether a function sees variables of those in which it stands, which may have sizes of theirs."""
    scope, captured = function.scope, _captured(function.node)
    while scope.parent is not None:
        if not captured.isdisjoint(scope.variables):
            return True
        scope = scope.parent
    return False


def _stored(node: ast.AST) -> list[str]:
    return [
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]


def written(interpreter: Interpreter, function: Function) -> Any:
    """What a function declares, as something that equal declarations have in common."""
    return repr(forms_of(interpreter, function))


def declares_arrays(interpreter: Interpreter, function: Function) -> bool:
    """Whether a function says something of arrays that it gets."""
    forms = forms_of(interpreter, function)
    return bool(forms) and any(map(contracts("reading").has_arrays, forms.values()))


def _in_stars(function: Function, name: str, value: Any) -> Any:
    """What ``*args`` or ``**kwargs`` holds of such items; any other parameter the value itself."""
    if name not in with_stars(function):
        return value
    last = function.node.args.kwarg
    return AbstractSequence(value, kind=dict if last is not None and last.arg == name else tuple)


def forms_of(interpreter: Interpreter, function: Function) -> dict[str, Any]:
    """What a function declares of its parameters, and of the object that it is a method of."""
    with kept_readings(function.readings):
        if function.forms is None:
            function.forms = _read(interpreter, function)
    return function.forms


def _read(interpreter: Interpreter, function: Function) -> dict[str, Any]:
    node = function.node
    if isinstance(node, ast.Lambda) or contracts("alternatives") is None:
        return {}
    scope, objects = with_parameters(interpreter, node, function.scope), Objects(interpreter)
    forms = {
        arg.arg: read(interpreter, value_of(interpreter, arg.annotation, scope), scope, objects.form)
        for arg in parameters(node)
        if arg.annotation is not None
    }
    own = _own(function)
    if own is not None and own not in forms:
        forms[own] = objects.form(function.cls)
    optional = _optional(node)
    return {
        name: _or_none(form) if name in optional else form for name, form in forms.items() if form is not None
    }


def _optional(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters whose default is `None`, which their annotations often do not say."""
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [
        *zip(positional[::-1], node.args.defaults[::-1], strict=False),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    return {arg.arg for arg, default in pairs if isinstance(default, ast.Constant) and default.value is None}


def _or_none(form: Any) -> Any:
    """A form, or `None`."""
    forms = contracts("forms")
    choices = form.choices if isinstance(form, forms.Union) else (form,)
    is_there = any(isinstance(each, forms.Constants) and None in each.values for each in choices)
    return form if is_there else forms.Union((*choices, forms.Constants((None,))))


def result_of(interpreter: Interpreter, function: Function) -> Any:
    """The form of what a function declares to return; None if it says nothing of arrays."""
    with kept_readings(function.readings):
        if function.result is None:
            function.result = _result(interpreter, function) or False
    return function.result or None


def _result(interpreter: Interpreter, function: Function) -> Any:
    node = function.node
    if isinstance(node, ast.Lambda) or node.returns is None or contracts("alternatives") is None:
        return None
    scope = with_parameters(interpreter, node, function.scope)
    form = read(interpreter, value_of(interpreter, node.returns, scope), scope, Objects(interpreter).form)
    return form if contracts("reading").has_arrays(form) else None


def _own(function: Function) -> str | None:
    """The parameter of a method that is the object it belongs to."""
    node = function.node
    decorators = {ast.unparse(each) for each in getattr(node, "decorator_list", ())}
    positional = [*node.args.posonlyargs, *node.args.args]
    if function.cls is None or not positional or decorators & {"staticmethod", "classmethod"}:
        return None
    return positional[0].arg


def made(value: Any, sizes: Sizes | None = None) -> Any:
    """The value that the walk has for what a caller may pass."""
    assuming = contracts("assuming")
    match value:
        case assuming.Number(kind=kind, size=size):
            return AbstractScalar(kind) if size is None else _size(size, sizes)
        case assuming.Several(kind=kind, item=item):
            since = arrays.unknown_sizes()
            return AbstractSequence(made(item, sizes), kind=kind, since=since)
        case assuming.Mapped(item=item):
            since = arrays.unknown_sizes()
            return AbstractSequence(made(item, sizes), kind=dict, since=since)
        case assuming.Instance(type=cls, fields=fields):
            held = {name: made(each, sizes) for name, each in fields.items()}
            return held if typing.is_typeddict(cls) else Instance(cls, held)
        case assuming.Callee(form=form, dims=dims):
            return Callee(form, dims, sizes)
        case assuming.OfLibrary(library=library, array=array):
            return _of_library(library, array, sizes)
        case assuming.AbstractArray():
            return _array(value, sizes)
    if type(value) is tuple:
        return tuple(made(item, sizes) for item in value)
    return value if type(value) in PLAIN else UNKNOWN


def _array(known: Any, sizes: Sizes | None) -> Any:
    shape = None if known.shape is None else tuple(_size(dim, sizes) for dim in known.shape)
    dtypes = _of_numbers(known.dtypes) if known.weak else known.dtypes
    if sizes is not None and known.dtype is None:  # with numbers only the sizes are of interest
        dtypes = frozenset([sizes.choose(dtypes)])
    return arrays.of_known(AbstractArray(dtypes, known.weak, shape))


def _of_numbers(dtypes: frozenset[str]) -> frozenset[str]:
    """Of the dtypes that a weak array may have, those that it has with or without 64-bit types, as Python's numbers have them."""
    return dtypes & {jax.dtypes.canonicalize_dtype(kind).name for kind in (int, float, complex)}


def _of_library(library: str, known: Any, sizes: Sizes | None) -> Any:
    if library == "any":
        # With numbers, what is wrong for an array of JAX is wrong: a caller may pass one.
        return ArrayLike(_array(known, sizes)) if sizes is None else _array(known, sizes)
    if library != "numpy":
        return UNKNOWN
    dims = known.shape
    return NumpyArray(
        known.dtype, None if dims is None else tuple(dim if type(dim) is int else None for dim in dims)
    )


def _size(dim: Any, sizes: Sizes | None) -> Any:
    """A size as JAX's arrays have it; None for one that may be less than 0 for all that JAX knows."""
    try:
        if sizes is not None and isinstance(dim, str) and dim.isidentifier():
            return sizes[dim]  # also a word of Python's, such as "in", which no formula has
        size = arrays.size_by_names(dim, sizes) if isinstance(dim, str) else dim
        return None if size is None or size < 0 else size
    except (KeyError, *NO_SIZE, jax.errors.InconclusiveDimensionOperation):
        return None
