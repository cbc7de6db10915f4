"""Calls of JAX's functions and of an array's methods and attributes, answered by abstract evaluation.

Every callback falls back to the stub's type: where an argument is not known, where JAX cannot tell, and
where no evaluation is possible.
"""

from __future__ import annotations

from dataclasses import replace

from mypy.nodes import ARG_POS, CallExpr, IndexExpr, MemberExpr

from jaxtyping_core.domain.values import (
    Anything,
    Array,
    Items,
    Key,
    List,
    Static,
    Tuple,
    Unknown,
    Value,
    inside,
)
from jaxtyping_core.evaluation.protocol import Answer
from jaxtyping_core_mypy import errors, names, unpacking
from jaxtyping_core_mypy.arguments import Arguments, arguments_of, bind
from jaxtyping_core_mypy.convert import (
    Type,
    is_array,
    is_iterable,
    is_overloaded,
    item_of,
    tuple_items,
    type_of,
    union_of,
    with_item,
    with_tuple_items,
)
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import spell, spell_arguments, spell_value

#: Functions of Python whose result is an iterable of an array's rows, of any number of them.
ITERATES = ("list", "iter", "reversed", "enumerate")
#: ... and where each row is a part of the result: how many are looked at.
ROWS = ("tuple",)
MOST_ROWS = 64
FIRST_ROW = Static(0)


def function(site: Site, path: str) -> Type:
    """The hook of the JAX function, or of calling the ufunc, at the dotted `path`."""
    keys = path.rpartition(".")[0] in names.KEYED_MODULES
    arguments = bind(site, keys, path)
    if arguments is None:
        return site.default
    return _answer(site, site.ask(path, *arguments), (f"{spell(site.ctx.context)}(", ")"), arguments)


def made(site: Site) -> Type:
    """The hook of what the evaluation of the program alone tells, such as calls of an object that a function of JAX returned."""
    return site.default


def builtin(site: Site, name: str) -> Type:
    """The hook of a function of Python, for arrays."""
    types = [typ for types in site.ctx.arg_types for typ in types]
    if not types or not is_array(types[0]):
        return site.default
    arguments = bind(site)
    if arguments is None:
        return site.default
    if name in ITERATES or (name in ROWS and not _has_few_rows(arguments[0][0])):
        return _of_rows(site, arguments[0][0])
    return _answer(site, site.ask(f"builtin:{name}", *arguments), (f"{name}(", ")"), arguments)


def _of_rows(site: Site, array: Value) -> Type:
    """The call's type, an iterable of one parameter, for the rows of `array`."""
    if not is_iterable(site.default):
        return site.default
    return with_item(site.default, row(site, array, item_of(site.default)))


def row(site: Site, array: Value, default: Type) -> Type:
    """The type of a row of `array`."""
    answer = site.ask("method:__getitem__", [array, FIRST_ROW])
    return default if answer.result is None else site.writer.value(answer.result, default)


def _has_few_rows(array: Value) -> bool:
    length = array.shape[0] if isinstance(array, Array) and array.shape else None
    return isinstance(length, int) and length <= MOST_ROWS


def one_of(site: Site) -> Type:
    """The hook of ``max`` and ``min``: one of several arrays."""
    types = [typ for _, _, typ, kind, _ in arguments_of(site.ctx) if kind == ARG_POS]
    return union_of(types) if len(types) > 1 and all(map(is_array, types)) else site.default


def zipped(site: Site) -> Type:
    """The hook of ``zip``: tuples of rows."""
    types = [typ for _, _, typ, kind, _ in arguments_of(site.ctx) if kind == ARG_POS]
    items = tuple_items(item_of(site.default)) if is_iterable(site.default) else None
    if items is None or len(items) != len(types):
        return site.default
    rows = [_row_of(site, typ, item) for typ, item in zip(types, items, strict=True)]
    return with_item(site.default, with_tuple_items(item_of(site.default), rows))


def _row_of(site: Site, iterable: Type, default: Type) -> Type:
    array = site.reader.of_type(iterable) if is_array(iterable) else None
    return default if array is None else row(site, array, default)


def method(site: Site, name: str) -> Type:
    """The hook of the array method `name`."""
    function = f"method:{name}"
    # Of what an index leaves of an array nothing is certain where either is unknown, but what the stub says.
    is_open = name != "__getitem__"
    array = site.reader.array_of(site.ctx.type) if is_open else site.reader.of_type(site.ctx.type)
    arguments = None if array is None else bind(site, function=function if is_open else None)
    if array is None or arguments is None:
        return site.default
    args, kwargs = arguments
    answer = site.ask(function, [array, *args], kwargs)
    return _answer(site, answer, _spell_method(array, name), arguments)


def attribute(site: Site, name: str) -> Type:
    """The hook of the array attribute `name`."""
    array = site.reader.of_type(site.ctx.type)
    if array is None or site.ctx.is_lvalue:
        return site.default
    answer = site.ask(f"attribute:{name}", [array])
    return _answer(site, answer, (f"{spell_value(array)}.{name}", ""), ([], {}))


def update(site: Site, name: str) -> Type:
    """The hook of ``x.at[index].NAME(values)``, whose index only the syntax tree still knows."""
    call = site.ctx.context
    target = call.callee.expr if isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) else None
    if not (isinstance(target, IndexExpr) and isinstance(target.base, MemberExpr)):
        return site.default
    array = site.reader.of_type(type_of(site.api, target.base.expr))
    index = site.reader.item(target.index)
    arguments = bind(site)
    if array is None or index is None or arguments is None:
        return site.default
    args, kwargs = arguments
    answer = site.ask(f"update:{name}", [array, index, *args], kwargs)
    spelled = (f"{spell_value(array)}.at[{spell_value(index)}].{name}(", ")")
    return _answer(site, answer, spelled, arguments)


def iteration(site: Site) -> Type:
    """The hook of iterating over an array: its rows."""
    array = site.reader.of_type(site.ctx.type)
    if isinstance(array, Array):
        unpacking.check_rows(site, array)
    return site.default if array is None else _of_rows(site, array)


def _answer(site: Site, answer: Answer, call: tuple[str, str], arguments: Arguments) -> Type:
    """The type of a result; `call` is what stands before and after the arguments in a message."""
    args, kwargs = arguments
    if isinstance(answer.result, List):  # of a tuple, mypy says that itself
        unpacking.check(site, answer.result, len(answer.result.items))
    if answer.result is not None:
        parts = [part for value in (*args, *kwargs.values()) for part in inside(value)]
        if isinstance(answer.result, Array) and Anything in map(type, parts) and is_overloaded(site.ctx):
            return site.writer.array(answer.result)
        if not any(isinstance(part, Key) for part in parts):
            return site.writer.value(answer.result, site.default)
        if (
            isinstance(answer.result, Array)
            and answer.result.shape
            and isinstance(answer.result.shape[0], int)
        ):
            unpacking.check(site, answer.result, answer.result.shape[0])
        return site.writer.value(_without_keys(answer.result), site.default)
    if answer.error is not None:
        if call[1] == "]" and isinstance(args[0], Tuple):  # x[0, 1] is x[(0, 1)]
            args = list(args[0].items)
        spelled = spell_arguments(args, kwargs).join(call)
        message = errors.REFUSED.format(call=spelled, reason=errors.sentence(answer.error))
        site.fail(message, errors.BY_KIND[str(answer.kind)])
    return site.default


def _without_keys(result: Value) -> Value:
    """`result` of a call with a key of unknown kind: a raw one gives raw ones."""
    if isinstance(result, Items):
        return replace(result, items=tuple(map(_without_keys, result.items)))
    return Unknown() if isinstance(result, Array) and result.dtype == names.KEY else result


def _spell_method(array: Value, name: str) -> tuple[str, str]:
    """What stands before and after the arguments of a method call."""
    if name == "__getitem__":
        return f"{spell_value(array)}[", "]"
    return f"{spell_value(array)}.{name}(", ")"
