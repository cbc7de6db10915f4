"""What the classes of a program declare of the arrays in their fields, and which sizes of a call have names from there."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from jaxtyping_core import dtypes
from jaxtyping_core.annotating.observed_types import Place, steps
from jaxtyping_core.annotating.source import Definition, Source
from jaxtyping_core.annotating.walking import Slot
from jaxtyping_core.contracts.dtype_names import ABSTRACT
from jaxtyping_core.contracts.syntax import written_array
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import Call, Observed
from jaxtyping_core.sampling.tables.dtypes import of_each_kind

#: The modules with annotations of arrays.
MODULES = ("jaxtyping", "jaxtyping_core.typing")


@dataclass(frozen=True, slots=True)
class Field:
    """What is declared of an array: the names of its sizes, None for those without one, and the abstract class of its dtype.

    `dims` is None where the number of axes is open or the names are no words of a text, and `abstract` where the dtype is one.
    """

    dims: tuple[str | None, ...] | None
    abstract: str | None


@dataclass(frozen=True)
class Classes:
    """The fields of the classes of some modules, by the last part of the module's name and the name of the class."""

    fields: Mapping[tuple[str, str], Mapping[str, Field]] = field(default_factory=dict)

    @classmethod
    def of(cls, sources: Iterable[Source]) -> Classes:
        """What the classes at the top of modules declare."""
        return cls(
            {
                (source.path.stem, name): dict(_fields(source, node))
                for source in sources
                for name, node in source.classes.items()
                if isinstance(node, ast.ClassDef)
            }
        )

    def of_type(self, path: str, module: str) -> Mapping[str, Field]:
        """The fields of a class as it was seen, from a module: the script that runs is called otherwise."""
        owner, _, name = path.rpartition(".")
        stem = owner.rpartition(".")[2]
        known = self.fields.get((module if stem == "__main__" else stem, name))
        if known is None and stem == "__main__":  # of another module of the program
            same = [fields for (_, each), fields in self.fields.items() if each == name]
            known = same[0] if len(same) == 1 else None
        return known or {}


NO_CLASSES = Classes()


@dataclass(frozen=True, slots=True)
class Declared:
    """What a call's objects declare.

    Attributes:
        names: of each size that has one name in the whole argument, that, with the place of the object that it is of.
        reserved: all names that are declared of what the call gets and gives.
        abstract: the arrays whose dtype may be another one, with its abstract class.
    """

    names: Mapping[Slot, tuple[str, Place]] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    abstract: Mapping[Place, str] = field(default_factory=dict)


def declared(call: Call, definition: Definition, classes: Classes, source: Source) -> Declared:
    """What the annotations that are there declare of a call: of its parameters, and of the fields of objects in it."""
    names: dict[Slot, tuple[str, Place]] = {}
    sizes: dict[tuple[str, str], set[int | None]] = {}
    reserved: set[str] = set()
    abstract: dict[Place, str] = {}
    own = {p.name: _field(source, p.annotation, True) for p in definition.parameters if p.annotation}
    returned = [] if call.returned is None else [("", call.returned)]
    for parameter, value in [*call.arguments, *returned]:
        told = own.get(parameter)
        of_fields = _arrays(value, (parameter,), classes, source.path.stem)
        itself = [] if told is None else [((), (parameter,), _array(value), told)]
        for owner, place, array, told in [*itself, *of_fields]:
            reserved |= {name for name in told.dims or () if name is not None}
            if array is None or not parameter:
                continue
            above = dtypes.ancestors(array.dtype) if array.dtype in dtypes.DTYPES else ()
            if told.abstract in above:
                abstract[place] = told.abstract
            if told.dims is None or len(told.dims) != len(array.dims):
                continue
            for axis, (name, size) in enumerate(zip(told.dims, array.dims, strict=True)):
                if name is not None:
                    names[place, axis] = (name, owner)
                    sizes.setdefault((parameter, name), set()).add(size)
    certain = {slot: named for slot, named in names.items() if len(sizes[str(slot[0][0]), named[0]]) == 1}
    return Declared(certain, frozenset(reserved), abstract)


def _array(value: Observed) -> observed.Array | None:
    return value if isinstance(value, observed.Array) else None


def others_of(abstract: str, dtype: str) -> list[str]:
    """The dtypes that are tried of an abstract class besides one: each of its own kind, and one of any other but complex."""
    kind = dtypes.kind(dtype)
    names = [
        row.name
        for row in dtypes.DTYPES.values()
        if abstract in dtypes.ancestors(row.name) and (row.kind != "c" or kind == "c")
    ]
    return [name for name in of_each_kind(names, {kind}) if name != dtype]


def _arrays(
    value: Observed, place: Place, classes: Classes, module: str
) -> Iterator[tuple[Place, Place, observed.Array | None, Field]]:
    """The fields in a value of which something is declared: the object, the place, and the array, if it is one."""
    cls = getattr(value, "type", None)
    told = {} if cls is None else classes.of_type(cls, module)
    names = dict(enumerate(value.names)) if isinstance(value, observed.Items) else {}
    for key, item in steps(value):
        name = names.get(key, str(key)) if isinstance(key, int) else key
        if name in told:
            yield place, (*place, key), _array(item), told[name]
        yield from _arrays(item, (*place, key), classes, module)


def _fields(source: Source, node: ast.ClassDef) -> Iterator[tuple[str, Field]]:
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            told = _field(source, part.annotation)
            if told is not None:
                yield part.target.id, told


def _field(source: Source, annotation: ast.expr, with_variables: bool = False) -> Field | None:
    """What an annotation says of an array; type variables are names where they are of a function."""

    def is_dim(name: str) -> bool:
        return with_variables and name in source.type_variables

    array = written_array(annotation, functools.partial(_alias, source), is_dim)
    return None if array is None else Field(array.names, ABSTRACT.get(array.dtype))


def _alias(source: Source, node: ast.expr) -> str | None:
    """The name that an annotation's dtype has where it is from."""
    written = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    first, _, rest = written.partition(".")
    path = source.imports.get(first, "") + (f".{rest}" if rest else "")
    module, _, name = path.rpartition(".")
    return name if module in MODULES else None
