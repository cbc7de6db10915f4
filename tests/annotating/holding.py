"""Whether what annotations say is true of calls that were recorded, with other sizes perhaps."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from jaxtyping_core import dtypes
from jaxtyping_core.annotating.observed_types import RETURN
from jaxtyping_core.annotating.source import DOUBLE, STARRED, Definition, Source
from jaxtyping_core.recording.observed import (
    Array,
    Call,
    Dict,
    Function,
    Items,
    Object,
    Observed,
    Scalar,
    inside,
)
from jaxtyping_core.recording.store import Place

CONCRETE = {row.alias: {name} for name, row in dtypes.DTYPES.items()}
ABSTRACT = {
    alias: {name for name in dtypes.DTYPES if abstract in dtypes.ancestors(name)}
    for abstract, alias in dtypes.ABSTRACT_ALIASES.items()
}
DTYPES = CONCRETE | ABSTRACT
OF_PYTHON = {"int": {"int", "bool"}, "float": {"float", "int", "bool"}, "bool": {"bool"}, "str": {"str"}}
#: How many arrays annotations told the dtype of.
Told = dict[str, int]


class Wrong(Exception):
    """An annotation that a call contradicts."""


def contradictions(text: str, calls: Mapping[Function, Mapping[Call, int]]) -> Iterator[str]:
    """What the annotations of a module say that a call does not."""
    source = Source.of(Path("module.py"), text, ast.parse(text))
    yield from _wrong_fields(source, calls)
    for function, seen in calls.items():
        definition = source.find(function)
        if definition is None:
            continue
        for call in seen:
            if call.returned is None:  # it was refused, or did not end: no call that fits
                continue
            try:
                _compare(definition, call)
            except Wrong as wrong:
                yield f"{function.qualname}: {wrong}"
                break


def wrong_variables(text: str, seen: Mapping[Place, Iterable[Observed]]) -> Iterator[str]:
    """What the annotations of variables in a module say that a run does not."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            place = Place(node.target.lineno, node.target.col_offset, node.target.id)
            for value in seen.get(place, ()):
                if not _fits(node.annotation, value, {}):
                    yield f"{place} is {ast.unparse(node.annotation)}, but was {value}"


def _wrong_fields(source: Source, calls: Mapping[Function, Mapping[Call, int]]) -> Iterator[str]:
    """What the annotations of the fields of classes say that an instance does not."""
    fields = {
        (name, part.target.id): part.annotation
        for name, node in source.classes.items()
        for part in (node.body if isinstance(node, ast.ClassDef) else ())
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    for (name, field), value in _held(calls):
        annotation = fields.get((name, field))
        if annotation is not None and not _fits(annotation, value, {}):
            yield f"{name}.{field} is {ast.unparse(annotation)}, but was {value}"


def _held(calls: Mapping[Function, Mapping[Call, int]]) -> set[tuple[tuple[str, str], Observed]]:
    """What the fields of instances held, with the name of the class and of the field."""
    held: set[tuple[tuple[str, str], Observed]] = set()
    for call in (call for seen in calls.values() for call in seen):
        for value in [*dict(call.arguments).values(), *([call.returned] if call.returned else [])]:
            for part in inside(value):
                match part:
                    case (
                        Items(type=str(cls), names=names, items=items)
                        | Object(type=cls, names=names, fields=items)
                    ):
                        pairs = zip(names, items, strict=False)
                        held |= {((cls.rpartition(".")[2], name), item) for name, item in pairs}
    return held


def _compare(definition: Definition, call: Call) -> None:
    sizes: dict[str, int] = {}
    values = dict(call.arguments)
    annotations = {p.name: p.annotation for p in definition.parameters if p.kind not in (STARRED, DOUBLE)}
    if call.returned is not None:
        annotations[RETURN] = definition.node.returns
        values[RETURN] = call.returned
    for name, annotation in annotations.items():
        if annotation is not None and name in values and not _fits(annotation, values[name], sizes):
            raise Wrong(f"{name} is {ast.unparse(annotation)}, with {sizes}, but was {values[name]}")


def _fits(annotation: ast.expr, value: Observed, sizes: dict[str, int]) -> bool:
    match annotation:
        case ast.Constant(value=None):
            return isinstance(value, Scalar) and value.kind in ("None", "NoneType")
        case ast.Constant(value=str(text)):
            return _fits(ast.parse(text, mode="eval").body, value, sizes)
        case ast.BinOp(left, ast.BitOr(), right):
            return _fits(left, value, sizes) or _fits(right, value, sizes)
        case ast.Subscript(ast.Name("tuple"), inner) if isinstance(value, Items) and value.kind == "tuple":
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if isinstance(items[-1], ast.Constant) and items[-1].value is ...:
                return all(_fits(items[0], item, sizes) for item in value.items)
            return len(items) == len(value.items) and all(
                _fits(part, item, sizes) for part, item in zip(items, value.items, strict=True)
            )
        case ast.Subscript(ast.Name("list"), inner):
            return isinstance(value, Items) and all(_fits(inner, item, sizes) for item in value.items)
        case ast.Subscript(ast.Name("dict"), ast.Tuple([_, inner])):
            return isinstance(value, Dict) and all(_fits(inner, item, sizes) for item in value.items)
        case ast.Subscript(ast.Name("Like"), inner):
            if isinstance(value, Array) and value.library == "numpy":  # what JAX makes of it
                value = replace(value, dtype=dtypes.canonical(value.dtype, False))
            return _fits(inner, value, sizes)
        case ast.Subscript(ast.Name(name), ast.Tuple([_, ast.Constant(str(text))])) if name in DTYPES | TEXTS:
            return _array(
                name, [ast.Constant(d) for d in text.split()] if text != "..." else None, value, sizes
            )
        case ast.Subscript(ast.Name(name), inner) if name in DTYPES:
            return _array(name, list(inner.elts) if isinstance(inner, ast.Tuple) else [inner], value, sizes)
        case ast.Name(name) if name in DTYPES:
            return _array(name, None, value, sizes)
        case ast.Name(name) if name in OF_PYTHON:
            return isinstance(value, Scalar) and value.kind in OF_PYTHON[name]
        case ast.Name("Any" | "ArrayLike"):
            return True
        case ast.Name("Array") | ast.Attribute(attr="Array"):
            return isinstance(value, Array) and value.library == "jax"
        case ast.Attribute(attr="ndarray"):
            return isinstance(value, Array) and value.library == "numpy"
        case ast.Name(name) if len(name) == 1 or isinstance(value, Scalar):  # a type variable of a size
            return isinstance(value, Scalar) and _same(name, value.value, sizes)
        case ast.Name(name) | ast.Attribute(attr=name):
            seen = value.type if isinstance(value, (Object, Items, Dict)) else None
            return (
                name in ("Callable", "dict", "list", "tuple")
                or name.endswith("State")
                or (seen is None or name in seen or isinstance(value, Object))
            )
    return True


#: jaxtyping's names of abstract dtypes.
TEXTS = {"Float": ABSTRACT["Floating"], "Num": ABSTRACT["Number"], "Int": ABSTRACT["SignedInteger"]}


def _array(name: str, dims: list[ast.expr] | None, value: Observed, sizes: dict[str, int]) -> bool:
    if not isinstance(value, Array) or value.dtype not in (DTYPES | TEXTS)[name]:
        return False
    if dims is None:
        return True
    if len(dims) == 1 and isinstance(dims[0], ast.Tuple) and not dims[0].elts:
        dims = []
    return len(dims) == len(value.dims) and all(
        _dim(dim, size, sizes) for dim, size in zip(dims, value.dims, strict=True)
    )


def _dim(dim: ast.expr, size: int | None, sizes: dict[str, int]) -> bool:
    match dim:
        case ast.Subscript(ast.Name("Literal"), ast.Constant(value)):
            return bool(value == size)
        case ast.Name("Any") | ast.Constant("_"):
            return True
        case ast.Name(name):
            return _same(name, size, sizes)
        case ast.Constant(str(text)) if text.isdigit():
            return int(text) == size
        case ast.Constant(str(text)) if text.isidentifier():
            return _same(text, size, sizes)
        case ast.Constant(str(text)):
            return size == eval(text, {}, dict(sizes))  # arithmetic of names, which we wrote
    return True


def _same(name: str, size: object, sizes: dict[str, int]) -> bool:
    return isinstance(size, int) and sizes.setdefault(name, size) == size
