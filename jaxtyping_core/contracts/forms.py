"""Annotations as data: what may be made of each as an argument, and what a result is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jaxtyping_core._annotations.elements import ANY_ELEMENT, ElementTest

from .axes import Axis


class Form:
    """What is known of an annotation."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Form):
    """What nothing can be made of; as a result, anything."""

    reason: str


@dataclass(frozen=True, slots=True)
class Function(Unknown):
    """A function. No sample of it can be made. `parameters` and `returned` are the forms that it declares; None is unknown."""

    parameters: tuple[Form, ...] | None = None
    returned: Form | None = None


@dataclass(frozen=True, slots=True)
class Anything(Form):
    """What a type variable without a bound stands for: the function uses nothing of it."""


@dataclass(frozen=True, slots=True)
class ArrayForm(Form):
    """An array. Without `axes` it may have any, and what is tried is only made up."""

    text: str
    axes: tuple[Axis, ...] | None
    elements: tuple[ElementTest, ...] = (ANY_ELEMENT,)
    #: The type variable that its dtype is.
    variable: str | None = None
    key: bool = False
    #: "jax", "numpy", or "any" for either.
    library: str = "jax"


@dataclass(frozen=True, slots=True)
class Scalar(Form):
    """A Python number. The value of an int under the name of a dim is its size (`size`: the dim's name)."""

    kind: type
    size: str | None = None


@dataclass(frozen=True, slots=True)
class Constants(Form):
    """One of some values: `None`, the members of an enumeration, what a `Literal` lists."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Union(Form):
    """One of several forms."""

    choices: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Items(Form):
    """A tuple of certain items."""

    items: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Sequence(Form):
    """A list or a tuple (`kind`) of any number of items."""

    kind: type
    item: Form


@dataclass(frozen=True, slots=True)
class Dict(Form):
    """A dict whose keys are not declared, of type `key`."""

    key: type
    item: Form


@dataclass(frozen=True, slots=True)
class Tree(Form):
    """jaxtyping's `PyTree[leaf, "structure"]`."""

    leaf: Form
    structure: str | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function, or a field; `kind` is that of `inspect.Parameter`."""

    name: str
    form: Form
    has_default: bool = False
    keyword: bool = False
    #: ``*args`` and ``**kwargs``: 1 and 2 stars.
    stars: int = 0


@dataclass(frozen=True, slots=True)
class Object(Form):
    """An object of a class with declared fields, made of these, or by the class with arguments as it declares.

    `make` takes the fields as keywords. Both are tried where there are both; without either nothing is made.
    """

    type: type
    #: With types that are made in place: what holds itself is not known.
    fields: tuple[Parameter, ...] | None = None
    make: Callable[..., Any] | None = None
    constructor: tuple[Parameter, ...] | None = None
    #: Whether the annotation says what the class's type variables are.
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function declares."""

    parameters: tuple[Parameter, ...]
    returned: Form | None
    #: The names of sizes in the parameters, and in the fields of their classes.
    names: frozenset[str] = field(default_factory=frozenset)
    #: The sizes that are numbers, which no other size should be by chance.
    fixed: frozenset[int] = field(default_factory=frozenset)


def inside(form: Form | None) -> Iterator[Form]:
    """A form and every form in it."""
    if form is None:
        return
    yield form
    parts: tuple[Form, ...] = ()
    match form:
        case Union(choices=parts) | Items(items=parts):
            pass
        case Sequence(item=item) | Dict(item=item) | Tree(leaf=item):
            parts = (item,)
        case Object(fields=fields) if fields is not None:
            parts = tuple(field.form for field in fields)
    for part in parts:
        yield from inside(part)


def fixed_sizes(form: Form | None) -> frozenset[int]:
    """The sizes that are numbers in a form."""
    arrays = [part for part in inside(form) if isinstance(part, ArrayForm)]
    return frozenset(size for array in arrays for axis in array.axes or () for size in axis.sizes or ())


def with_names_in_fields(form: Form, names: Mapping[str, str]) -> Form:
    """A form with other names for sizes in the fields of its objects."""
    match form:
        case Union(choices=parts):
            return Union(tuple(with_names_in_fields(part, names) for part in parts))
        case Items(items=parts):
            return Items(tuple(with_names_in_fields(part, names) for part in parts))
        case Object(fields=fields) if fields is not None:
            return replace(
                form, fields=tuple(replace(each, form=_renamed(each.form, names)) for each in fields)
            )
    return form


def _renamed(form: Form, names: Mapping[str, str]) -> Form:
    if isinstance(form, ArrayForm) and form.axes is not None:
        return replace(form, axes=tuple(axis.renamed(names) for axis in form.axes))
    return with_names_in_fields(form, names)
