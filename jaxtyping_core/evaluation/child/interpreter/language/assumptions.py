"""The arguments of calls that nothing makes, by what a function declares.

`contracts.assume` says what a call may pass; here are the values that the walk has for that. A named size is a symbol of JAX's, of
which JAX decides what follows: where it would have to know more of it, nothing is known.
"""

from __future__ import annotations

import ast
import collections
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from ..values import arrays
from ..values.unknowns import UNKNOWN, Instance, Many, Mixed, Number, NumpyArray, Partial
from . import contracts
from .comparable import declarations

if TYPE_CHECKING:
    from ..machine import Machine
    from ..scopes import Scope
    from .functions import Function

#: Objects within each other, and types of values that stand for themselves.
DEEPEST = 3
PLAIN = (type(None), bool, int, float, complex, str)


class Sizes(dict[str, int]):
    """Numbers for the names of sizes, in turn."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers

    def __missing__(self, name: str) -> int:
        self[name] = next(self._numbers)
        return self[name]


def calls(machine: Machine, function: Function, sizes: Sizes | None = None) -> Iterator[dict[str, Any]]:
    """The arguments of the calls that stand for all of a function, as far as it declares them.

    Args:
        sizes: numbers for names of sizes, in place of symbols.
    """
    forms = _forms(machine, function)
    if not forms:
        yield {}
        return
    stars = contracts.with_stars(function)
    for chosen in declarations("assume").calls(forms):
        made = {name: Maker(machine, sizes).made(form) for name, form in chosen.items()}
        yield {
            name: _several(function, name, value) if name in stars else value for name, value in made.items()
        }


def is_at_top_level(function: Function) -> bool:
    """Whether a function sees no variables of others: it is one of a module, or of a class of one."""
    scope: Scope | None = function.scope
    while scope is not None and scope.of_class:
        scope = scope.parent
    return scope is not None and scope.parent is None


def inner(machine: Machine, outer: Function, known: Container[int]) -> list[Function]:
    """The functions that a walk of `outer` has made in it and that declare arrays; they see what it has at its end.

    Functions that see a variable which gets several values in turn are left out: their calls may have seen another one.
    """
    changing = _changing(outer.node)
    made = [function for number, function in machine.functions.items() if number not in known]
    return [
        function
        for function in made
        if not is_at_top_level(function)
        and function.cls is None
        and declares_arrays(machine, function)
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


def _stored(node: ast.AST) -> list[str]:
    return [
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]


def written(machine: Machine, function: Function) -> Any:
    """What a function declares, as something that equal declarations have in common."""
    todo, known = list(_forms(machine, function).items()), list[str]()
    seen: set[type] = set()
    while todo:
        name, form = todo.pop()
        known.append(f"{name}: {form}")
        for part in declarations("forms").inside(form):
            if type(part).__name__ == "Object" and part.type not in seen:
                seen.add(part.type)
                todo += _fields(machine, part.type).items()
    return tuple(sorted(known))


def declares_arrays(machine: Machine, function: Function) -> bool:
    """Whether a function says something of arrays that it gets."""
    forms = _forms(machine, function)
    return any(
        declarations("reading").has_arrays(form) or _has_array_fields(machine, form)
        for form in forms.values()
    )


def _has_array_fields(machine: Machine, form: Any) -> bool:
    return type(form).__name__ == "Object" and any(
        declarations("reading").has_arrays(each) for each in _fields(machine, form.type).values()
    )


def _several(function: Function, name: str, item: Any) -> Any:
    """What ``*args`` or ``**kwargs`` holds of such items."""
    last = function.node.args.kwarg
    return Many(item, kind=dict if last is not None and last.arg == name else tuple)


def _forms(machine: Machine, function: Function) -> dict[str, Any]:
    """What a function declares of its parameters, and of the object that it is a method of."""
    if function.forms is None:
        function.forms = _read(machine, function)
    return function.forms


def _read(machine: Machine, function: Function) -> dict[str, Any]:
    node = function.node
    if isinstance(node, ast.Lambda) or declarations("assume") is None:
        return {}
    scope = contracts.with_parameters(machine, node, function.scope)
    forms = {
        arg.arg: contracts.read(
            machine, contracts.value_of(machine, arg.annotation, scope), scope, machine.classes
        )
        for arg in contracts.parameters(node)
        if arg.annotation is not None
    }
    own = _own(function)
    if own is not None and own not in forms:
        forms[own] = declarations("forms").Object(function.cls)
    return {name: form for name, form in forms.items() if form is not None}


def _own(function: Function) -> str | None:
    """The parameter of a method that is the object it belongs to."""
    node = function.node
    decorators = {ast.unparse(each) for each in getattr(node, "decorator_list", ())}
    positional = [*node.args.posonlyargs, *node.args.args]
    if function.cls is None or not positional or decorators & {"staticmethod", "classmethod"}:
        return None
    return positional[0].arg


def _fields(machine: Machine, cls: type) -> dict[str, Any]:
    forms = {
        name: contracts.read(machine, annotation, scope, machine.classes)
        for name, annotation, scope in contracts.field_annotations(machine, cls)
    }
    return {name: form for name, form in forms.items() if form is not None}


class Maker:
    """Makes values of forms; with `sizes`, arrays of these."""

    def __init__(self, machine: Machine, sizes: Sizes | None = None) -> None:
        self.machine, self.sizes = machine, sizes

    def made(self, form: Any, depth: int = 0) -> Any:
        """A value of which no more is known than what a form says."""
        make = getattr(self, f"_{type(form).__name__.lower()}", None)
        return UNKNOWN if make is None else make(form, depth)

    def _arrayform(self, form: Any, depth: int) -> Any:
        known = declarations("assume").array(form)
        dims = None if known.shape is None else tuple(map(self._size, known.shape))
        if form.library == "numpy":
            of_numbers = None if dims is None else tuple(dim if type(dim) is int else None for dim in dims)
            return NumpyArray(known.dtype, of_numbers)
        if form.library == "struct":
            return UNKNOWN
        if known.dtype is None:
            array: Any = Partial(None, known.weak, dims, known.dtypes)
        else:
            array = arrays.array(known.dtype, known.weak, dims)
        return Mixed(array) if form.library == "any" else array

    def _size(self, dim: int | str | None) -> Any:
        if not isinstance(dim, str):
            return dim
        try:
            size = arrays.size_by_names(dim, self.sizes)
        except (ValueError, TypeError, ArithmeticError):
            return None
        return None if type(size) is int and size < 0 else size

    def _scalar(self, form: Any, depth: int) -> Any:
        return Number(form.kind) if form.size is None else self._size(form.size)

    def _constants(self, form: Any, depth: int) -> Any:
        (value, *others) = form.values
        return value if not others and type(value) in PLAIN else UNKNOWN

    def _items(self, form: Any, depth: int) -> Any:
        return tuple(self.made(item, depth) for item in form.items)

    def _sequence(self, form: Any, depth: int) -> Any:
        since = arrays.unknown_sizes()
        return Many(self.made(form.item, depth), kind=form.kind, since=since)

    def _dict(self, form: Any, depth: int) -> Any:
        since = arrays.unknown_sizes()
        return Many(self.made(form.item, depth), kind=dict, since=since)

    def _object(self, form: Any, depth: int) -> Any:
        if depth == DEEPEST:
            return Instance(form.type)
        fields = _fields(self.machine, form.type)
        return Instance(form.type, {name: self.made(each, depth + 1) for name, each in fields.items()})
