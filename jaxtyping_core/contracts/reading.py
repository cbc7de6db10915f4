"""The annotations of a function, read into forms. Nothing here imports jaxtyping: its classes are known by what they have."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jaxtyping_core._annotations.array import Array, ArrayMeta
from jaxtyping_core._annotations.elements import ANY_ELEMENT, KEY_ELEMENT, ElementTest, compile_elements
from jaxtyping_core._annotations.inputs import DTypeLike
from jaxtyping_core._annotations.like import LikeMeta
from jaxtyping_core._annotations.sizes import resolve
from jaxtyping_core._annotations.source import is_union, source
from jaxtyping_core.domain.formatting import spell_array
from jaxtyping_core.dtypes import PYTHON_SCALARS

from .axes import names_in as names_of_axes
from .classes import read_class
from .dim_strings import DimStringError, parse
from .forms import (
    Anything,
    ArrayForm,
    Constants,
    Dict,
    Form,
    Function,
    Items,
    Object,
    Parameter,
    Scalar,
    Sequence,
    Signature,
    Tree,
    Union,
    Unknown,
    fixed_sizes,
    inside,
)
from .shape_types import axes_of_shape

#: Python's numbers; annotations that are compared with them may have no hash.
NUMBERS = tuple(PYTHON_SCALARS)
#: Names of parameters that hold a random key where the annotation says no more than that it is an array.
KEY_NAME = re.compile(r"(?:\w*_)?(?:key|rng|prng|prng_key)\d*")
#: Why nothing is made where a function is declared, and nothing known of one that is returned.
FUNCTION = "it is a function"
#: Why nothing is made of these by their annotations alone.
DTYPE, TEXT = "it is a dtype", "it is a string"
#: Origins of which a list, a tuple and a dict are such.
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
#: Of what a function with ``yield`` returns.
_ITERATORS = (collections.abc.Iterator, collections.abc.Iterable, collections.abc.Generator)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_STARS: dict[Any, int] = {inspect.Parameter.VAR_POSITIONAL: 1, inspect.Parameter.VAR_KEYWORD: 2}


class NotReadable(Exception):
    """The annotations of a function cannot be evaluated; the message says which name is missing, or what else."""


def read_signature(
    function: Callable[..., Any],
    owner: Object | None = None,
    bound: int = 0,
    names: Any = None,
    *,
    yields: bool = False,
) -> Signature:
    """What a function declares; without its `bound` first parameters, where `owner` is the class around it.

    Of one that `yields`, what is returned is a list of what it gives one by one.

    Raises:
        NotReadable: an annotation cannot be evaluated, or it is nonsense.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())[bound:]
        hints = _hints(inspect.unwrap(function), names)
        reader = Reader(unknown=_Foreign)
        read = tuple(reader.parameter(parameter, hints) for parameter in parameters)
        returned = None
        if "return" in hints:
            returned = reader.read(_items(hints["return"]) if yields else hints["return"])
    except NameError as error:
        raise NotReadable(f"an annotation cannot be evaluated: {error}") from None
    except (TypeError, ValueError, AttributeError, SyntaxError, DimStringError) as error:
        raise NotReadable(f"its annotations cannot be read: {error}") from None
    forms = [parameter.form for parameter in read] + ([owner] if owner else [])
    dim_names = {name for form in forms for name in names_in(form)}
    fixed = frozenset(size for form in [*forms, returned] for size in fixed_sizes(form))
    return Signature(read, returned, frozenset(dim_names), fixed)


def _items(annotation: Any) -> Any:
    """A list of what an iterator gives by its annotation."""
    is_known = typing.get_origin(annotation) in _ITERATORS
    return types.GenericAlias(list, typing.get_args(annotation)[:1]) if is_known else Any


class _Foreign(type):
    """The class of what stands for a name that a library's own annotations mention, which only its module knows."""


def _hints(function: Any, names: Any) -> dict[str, Any]:
    """The annotations of a function, evaluated.

    Raises:
        NameError: the function itself names what is not there.
    """
    own = [text for text in getattr(function, "__annotations__", {}).values() if isinstance(text, str)]
    while True:
        try:
            return typing.get_type_hints(function, localns=names, include_extras=True)
        except NameError as error:
            missing = error.name
            if not missing or missing in (names or {}) or any(missing in text for text in own):
                raise
            names = {**(names or {}), missing: _Foreign(missing, (), {})}


def has_arrays(form: Form | None) -> bool:
    """Whether an annotation says something of an array."""
    return any(isinstance(part, ArrayForm) and part.axes is not None for part in inside(form))


def is_certain(form: Form) -> bool:
    """Whether all is declared of what a form is made of: arrays alone whose sizes have names, or are numbers."""
    match form:
        case ArrayForm(axes=declared):
            return declared is not None and all(
                axis.formula is None and not axis.by_leaf and (axis.name or axis.sizes) for axis in declared
            )
        case Scalar(kind=kind):
            return kind is not int
        case Constants():
            return True
        case Union(choices=parts):
            # An int beside a float is a number, and no size.
            numbers = (Scalar(int),) if Scalar(float) in parts else ()
            left = [part for part in parts if not isinstance(part, Unknown) and part not in numbers]
            return all(map(is_certain, left))
        case Items(items=parts):
            return all(map(is_certain, parts))
        case Object(fields=fields, constructor=None) if fields:
            return all(is_certain(field.form) for field in fields)
    return False


def is_open(form: Form) -> bool:
    """Whether a dict, a tree or a list holds arrays that may have different shapes."""
    for part in inside(form):
        if isinstance(part, Dict | Tree | Sequence):
            held = [array for array in inside(part) if isinstance(array, ArrayForm)]
            if any(axis.name is None or axis.by_leaf for array in held for axis in array.axes or ()):
                return True
    return False


def names_in(form: Form) -> set[str]:
    """The names of the sizes that a form mentions."""
    parts = list(inside(form))
    typed = {part.size for part in parts if isinstance(part, Scalar) and part.size is not None}
    arrays = [part for part in parts if isinstance(part, ArrayForm)]
    return typed | {name for array in arrays for name in names_of_axes(array.axes or ())}


class Reader:
    """Reads annotations, with other types in place of some type variables.

    Without `classes` what their fields declare is not looked at, but for what `objects` says of some. `unknown` is the class of
    what stands for an annotation that is not known.
    """

    def __init__(
        self,
        variables: Mapping[Any, Any] | None = None,
        open: tuple[type, ...] = (),
        classes: bool = True,
        unknown: type | tuple[()] = (),
        objects: Callable[[type], Form | None] = lambda _: None,
    ) -> None:
        self._variables: Mapping[Any, Any] = variables or {}
        self._open = open
        self._classes = classes
        self._unknown = unknown
        self._objects = objects

    def parameter(self, parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Parameter:
        """A parameter of a function."""
        name, default = parameter.name, parameter.default
        has_default = default is not inspect.Parameter.empty
        form = self.read(hints[name]) if name in hints else Unknown("it has no annotation")
        if isinstance(form, ArrayForm) and form.axes is None and KEY_NAME.fullmatch(name):
            form = dataclasses.replace(form, axes=(), key=True)
        keyword = parameter.kind not in _POSITIONAL
        return Parameter(name, form, has_default, keyword, _STARS.get(parameter.kind, 0))

    def read(self, annotation: Any) -> Form:
        """The form of an annotation.

        Raises:
            TypeError, ValueError: an annotation of arrays is nonsense.
        """
        if isinstance(annotation, self._unknown):
            return Unknown("the annotation is not known")
        annotation = resolve(annotation)
        if annotation in self._variables if isinstance(annotation, typing.TypeVar) else False:
            return self.read(self._variables[annotation])
        for reader in _READERS:
            form = reader(self, annotation)
            if form is not None:
                return form
        return Unknown(f"the type {source(annotation)} is unknown")

    def _plain(self, annotation: Any) -> Form | None:
        if annotation is None or annotation is type(None):
            return Constants((None,))
        if annotation in (Any, object, inspect.Parameter.empty):
            return Unknown("it can be anything")
        if annotation in NUMBERS:
            return Scalar(annotation)
        if typing.get_origin(annotation) is typing.Literal:
            return Constants(typing.get_args(annotation))
        if annotation in (DTypeLike, getattr(sys.modules.get("jax.typing"), "DTypeLike", DTypeLike)):
            return Unknown(DTYPE)
        if annotation is str:
            return Unknown(TEXT)
        if isinstance(annotation, type) and issubclass(annotation, np.generic):
            return Unknown("a scalar of NumPy")
        if isinstance(annotation, type) and issubclass(annotation, enum.Enum) and len(annotation):
            return Constants(tuple(annotation))
        return None

    def _function(self, annotation: Any) -> Form | None:
        if annotation in (collections.abc.Callable, typing.Callable):
            return Unknown(FUNCTION)
        if typing.get_origin(annotation) is not collections.abc.Callable:
            return None
        parameters, returned = typing.get_args(annotation)
        is_listed = isinstance(parameters, list)
        return Function(
            FUNCTION, tuple(map(self.read, parameters)) if is_listed else None, self.read(returned)
        )

    def _variable(self, annotation: Any) -> Form | None:
        if isinstance(annotation, typing.NewType):
            return self.read(annotation.__supertype__)
        if not isinstance(annotation, typing.TypeVar):
            return None
        if annotation.__constraints__:
            return Union(tuple(map(self.read, annotation.__constraints__)))
        bound = annotation.__bound__
        if bound is int:
            return Scalar(int, size=annotation.__name__)
        if isinstance(bound, ArrayMeta | LikeMeta) or bound in NUMBERS:
            return self.read(bound)
        if bound is None:
            return Anything()
        return Unknown(f"the type variable {annotation.__name__} can be anything")

    def _array(self, annotation: Any) -> Form | None:
        jax_array = getattr(sys.modules.get("jax"), "Array", Array)
        if isinstance(annotation, LikeMeta):
            form = self._array(annotation._annotation)
            assert isinstance(form, ArrayForm)
            return dataclasses.replace(form, library="any")
        if annotation in (jax_array, Array, np.ndarray) or typing.get_origin(annotation) is np.ndarray:
            library = "jax" if annotation in (jax_array, Array) else "numpy"
            return ArrayForm(source(annotation), None, library=library)
        if not isinstance(annotation, ArrayMeta):
            return None
        dtype, shape = annotation.__args__
        variable = dtype.__name__ if isinstance(dtype, typing.TypeVar) else None
        if dtype in self._variables:
            variable, dtype = None, self._variables[dtype]
            variable = dtype.__name__ if isinstance(dtype, typing.TypeVar) else None
        declared = axes_of_shape(shape, self._variables)
        elements = compile_elements(dtype)
        spelled = variable or ("Array" if dtype is Any else source(dtype))
        text = spell_array(spelled, [axis.text for axis in declared])
        return ArrayForm(text, declared, elements, variable, key=elements == (KEY_ELEMENT,))

    def _jaxtyping_array(self, annotation: Any) -> Form | None:
        if not (
            isinstance(annotation, type) and _has(annotation, "dim_str", "dtypes", "array_type", "dtype")
        ):
            return None
        held: Any = annotation
        name = getattr(held.array_type, "__name__", "Any").rpartition(".")[2]  # with its module in jax 0.10
        library = {"ndarray": "numpy", "ShapeDtypeStruct": "struct"}.get(name, "jax")
        names = held.dtypes if isinstance(held.dtypes, tuple | list) else None
        key = names is not None and set(names) == {"prng_key"}
        elements = (ANY_ELEMENT,) if names is None or key else (_test(names),)
        text = f'{held.dtype.__name__}[{name}, "{held.dim_str}"]'
        return ArrayForm(text, parse(held.dim_str), elements, key=key, library=library)

    def _jaxtyping_tree(self, annotation: Any) -> Form | None:
        if not (isinstance(annotation, type) and annotation.__module__.partition(".")[0] == "jaxtyping"):
            return None
        if _has(annotation, "leaftype", "structure"):
            held: Any = annotation
            leaf = Unknown("it can be anything") if held.leaftype is Any else self.read(held.leaftype)
            return Tree(leaf, held.structure)
        return Tree(Unknown("its leaves are not declared")) if annotation.__name__ == "PyTree" else None

    def _union(self, annotation: Any) -> Form | None:
        if not is_union(annotation):
            return None
        choices = [self.read(item) for item in typing.get_args(annotation)]
        bare = next((form for form in choices if isinstance(form, ArrayForm) and form.axes is None), None)
        if bare is not None and any(form == Scalar(float) for form in choices):  # what JAX calls ArrayLike
            return dataclasses.replace(bare, library="any")
        return Union(tuple(choices))

    def _container(self, annotation: Any) -> Form | None:
        origin, items = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation in (list, tuple, dict, *_LISTS, *_DICTS):
            return Unknown(f"what is in a {annotation.__name__} is not declared")
        if annotation is tuple or (not items and origin in (*_LISTS, *_DICTS)):  # typing.Dict, bare
            return Unknown(f"what is in a {origin.__name__} is not declared")
        if origin is tuple:
            if len(items) == 2 and items[1] is ...:
                return Sequence(tuple, self.read(items[0]))
            return Items(tuple(map(self.read, items)))
        if origin in _LISTS:
            return Sequence(list, self.read(items[0]))
        if origin in _DICTS:
            key = resolve(items[0])
            if key not in (str, int):
                return Unknown(f"keys of type {source(key)}")
            return Dict(key, self.read(items[1]))
        return None

    def _object(self, annotation: Any) -> Form | None:
        origin = typing.get_origin(annotation) or annotation
        known = self._objects(origin) if isinstance(origin, type) else None
        if known is not None:
            return known
        if not self._classes or not isinstance(origin, type) or origin.__module__ == "builtins":
            return None
        if origin in self._open or len(self._open) > 4:
            return Unknown(f"{origin.__name__} contains itself")
        declared = getattr(origin, "__parameters__", ())
        variables = dict(zip(declared, typing.get_args(annotation), strict=False))
        filled = {variable: self._variables.get(value, value) for variable, value in variables.items()}
        made = read_class(origin, Reader(filled, (*self._open, origin)))
        return dataclasses.replace(made, filled=bool(variables))


_READERS: tuple[Callable[[Reader, Any], Form | None], ...] = (
    Reader._plain,
    Reader._function,
    Reader._variable,
    Reader._array,
    Reader._jaxtyping_array,
    Reader._jaxtyping_tree,
    Reader._union,
    Reader._container,
    Reader._object,
)


def _has(item: Any, *names: str) -> bool:
    return all(hasattr(item, name) for name in names)


def _test(names: Any) -> ElementTest:
    plain = {name for name in names if isinstance(name, str)}
    return ElementTest(frozenset(plain))
