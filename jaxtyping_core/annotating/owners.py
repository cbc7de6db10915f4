"""The fields of a module's classes, and what all instances that were seen hold in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jaxtyping_core.annotating.observed_types import Arrays, Kind, Open, agreed, inside
from jaxtyping_core.annotating.source import Source, is_bare
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.definitions import MAKERS
from jaxtyping_core.recording.observed import Observed
from jaxtyping_core.recording.store import FileFacts

#: What fields of classes held, by the class as it was seen and the field: each value once.
Held = dict[str, dict[str, dict[Observed, None]]]


@dataclass(frozen=True, slots=True)
class Owner:
    """A class of the module with fields to annotate.

    Attributes:
        number: tells it from others and from functions, whose numbers are 0 and up.
        name: of the class.
        node: the class, or the assignment of what `collections.namedtuple` makes, which becomes a class.
        fields: all that may be written, in the order of the source.
        order: all fields in the order in which a call gives them.
    """

    number: int
    name: str
    node: ast.ClassDef | ast.Assign
    fields: Mapping[str, Kind]
    order: tuple[str, ...]

    @property
    def is_call(self) -> bool:
        """Whether a call makes the class."""
        return isinstance(self.node, ast.Assign)


def held_in(facts: Iterable[FileFacts]) -> Held:
    """What the fields of the instances held that functions got and gave."""
    held: Held = {}
    for file in facts:
        for calls in file.calls.values():
            for call in calls:
                values = [value for _, value in call.arguments]
                for value in [*values, *([call.returned] if call.returned is not None else [])]:
                    for part in observed.inside(value):
                        _note(part, held)
    return held


def _note(value: Observed, held: Held) -> None:
    match value:
        case observed.Items(type=str(cls), names=names, items=parts):
            pass
        case observed.Object(type=cls, names=names, fields=parts, called=False):
            pass
        case _:
            return
    fields = held.setdefault(cls, {})
    for name, part in zip(names, parts, strict=False):
        fields.setdefault(name, {})[part] = None


def owners(source: Source, facts: FileFacts, held: Held, refine: bool) -> Iterator[Owner]:
    """The classes of a module with fields that are open.

    Args:
        source: the module.
        facts: what was seen of it.
        held: what instances held.
        refine: whether annotations that say of an array only that it is one are replaced.
    """
    for number, (name, node) in enumerate(source.classes.items()):
        seen = _seen(source, facts, held, name)
        order = tuple(_fields(node))
        written = order if isinstance(node, ast.Assign) else tuple(_open(node)) if refine else ()
        kinds = {field: agreed(list(seen.get(field, ())), field, source.uses_raw_keys) for field in written}
        told = {field: kind for field, kind in kinds.items() if any(map(_is_told, inside(kind)))}
        if isinstance(node, ast.Assign):
            told = kinds if told and len(told) == len(order) else {}
        if told and isinstance(node, (ast.ClassDef, ast.Assign)):
            yield Owner(-1 - number, name, node, told, order)


def _is_told(kind: Kind) -> bool:
    return isinstance(kind, Arrays)


def _seen(source: Source, facts: FileFacts, held: Held, name: str) -> Mapping[str, Mapping[Observed, None]]:
    """What the fields of a class held: after its own ``__init__`` if it has one, or else in what was passed, if anything was.

    Trees of the class hold other things too, such as shapes and sharding, when a function of JAX makes them.
    """
    by_field: dict[str, dict[Observed, None]] = {}
    for path, fields in held.items():
        module, _, last = path.rpartition(".")
        if last == name and (module == "__main__" or module.rpartition(".")[2] == source.path.stem):
            for field, values in fields.items():
                by_field.setdefault(field, {}).update(values)
    if name in facts.attributes and (_makes_itself(source.classes[name]) or not by_field):
        return {field: dict.fromkeys(values) for field, values in facts.attributes[name].items()}
    return by_field


def _makes_itself(node: ast.stmt) -> bool:
    """Whether a class has a method of its own that sets the attributes of new instances."""
    return any(
        isinstance(part, ast.FunctionDef) and part.name in MAKERS
        for part in (node.body if isinstance(node, ast.ClassDef) else ())
    )


def _fields(node: ast.stmt) -> Iterator[str]:
    """The names of the fields, in the order of the source; of a call, only if it gives nothing but names."""
    match node:
        case ast.ClassDef(body=body):
            for part in body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    yield part.target.id
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(args=[ast.Constant(value=said), names], keywords=[], func=func),
        ) if name == said and ast.unparse(func).rpartition(".")[2] == "namedtuple":
            match names:
                case ast.List(elts=items) | ast.Tuple(elts=items) if all(map(_is_text, items)):
                    yield from (str(item.value) for item in items if isinstance(item, ast.Constant))
                case ast.Constant(value=str(text)):
                    yield from text.replace(",", " ").split()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _open(node: ast.stmt) -> Iterator[str]:
    """The fields with annotations that say no more than that they are arrays, or lists."""
    for part in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and is_bare(part.annotation):
            yield part.target.id


def without_numbers(kind: Kind) -> Kind:
    """What a field of a class is said to be; nothing if it may be one of Python's numbers, too."""
    return Open() if any(isinstance(part, Arrays) and part.scalars for part in inside(kind)) else kind
