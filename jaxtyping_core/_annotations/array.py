"""`Array[DType, Shape]` at run time: a class for every annotation, which `isinstance` asks.

An annotation is a class and not a `types.GenericAlias`. beartype and typeguard read only the origin of an alias that
they do not know. So ``typing.get_origin`` gives None, and the parts are the attributes ``__args__`` and
``__parameters__``.

Substitution is that of ordinary generics: it is done by ``tuple[DType, Shape]``.
"""

from __future__ import annotations

import copyreg
import sys
import threading
import typing
import weakref
from typing import Any, NoReturn

from jaxtyping_core import dtypes
from jaxtyping_core._annotations.elements import ANY_ELEMENT, ElementTest, as_class, compile_elements
from jaxtyping_core._annotations.scalars import CLASSES, PUBLIC_MODULE, ROWS, DTypeMeta
from jaxtyping_core._annotations.shapes import ANY_SHAPE, ShapePattern, compile_shape
from jaxtyping_core._annotations.source import is_union, source, standard, tuple_type


def _array_types() -> tuple[type, ...]:
    """``jax.Array``, of which the layer's is a subclass; whatever nothing has imported has no instances either."""
    array = getattr(sys.modules.get("jax"), "Array", None)
    return (array,) if isinstance(array, type) else ()


class ArrayMeta(type):
    """The class of `Array` and of everything made by subscripting it."""

    __args__: tuple[Any, ...] = ()
    __parameters__: tuple[Any, ...] = ()
    _elements: tuple[ElementTest, ...] = (ANY_ELEMENT,)
    _shape: ShapePattern = ANY_SHAPE

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> ArrayMeta:
        if bases:
            raise TypeError(
                f"{name} cannot inherit from {source(bases[-1])}: it is an annotation and has no "
                "instances. Keep the array in an attribute, or inherit from jax.Array."
            )
        return super().__new__(cls, name, bases, namespace)

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{cls} is an annotation and cannot create arrays. Use jax.numpy.asarray.")

    def __getitem__(cls, params: Any) -> ArrayMeta:
        """`Array[DType, Shape]`, or an annotation with its type variables replaced.

        Raises:
            TypeError: a parameter is not a dtype class or a shape, or the number of parameters is wrong.
        """
        params = tuple(map(standard, params if isinstance(params, tuple) else (params,)))
        if cls is Array:
            return parametrize(*_two(params))
        if not cls.__parameters__:
            raise TypeError(f"{cls} has no type variables to fill in.")
        if ... in params:  # tuple[int, ...] would take it as its own; a type checker refuses it here
            raise TypeError(f"{cls} takes dims, got `...`. Write *tuple[Any, ...] for any number of dims.")
        try:
            filled = tuple_type(cls.__args__)[params]
        except TypeError:
            names, arguments = (", ".join(map(source, items)) for items in (cls.__parameters__, params))
            raise TypeError(f"{cls} takes {names}, got {arguments or 'nothing'}.") from None
        return parametrize(*typing.get_args(filled))

    def __instancecheck__(cls, instance: Any) -> bool:
        array: Any = instance  # whose type the next line would take for known
        return (
            isinstance(instance, _array_types())
            and any(test.accepts(array) for test in cls._elements)
            and (cls._shape == ANY_SHAPE or cls._shape.accepts(array.shape))
        )

    def accepts_converted(cls, array: Any, x64: bool) -> bool:
        """Whether `array`, one of NumPy, fits once JAX has converted it."""
        return any(test.accepts_converted(array.dtype, x64) for test in cls._elements) and (
            cls._shape.accepts(array.shape)
        )

    def __subclasscheck__(cls, subclass: type) -> bool:
        if isinstance(subclass, ArrayMeta):
            return all(any(mine.covers(test) for mine in cls._elements) for test in subclass._elements) and (
                cls._shape.covers(subclass._shape)
            )
        if not isinstance(subclass, type):
            raise TypeError(f"issubclass() takes a class, got {subclass!r}.")
        everything = ANY_ELEMENT in cls._elements and cls._shape == ANY_SHAPE
        return everything and issubclass(subclass, _array_types())

    def __str__(cls) -> str:
        # Not __repr__: beartype refuses `Union[X, int]` where the repr of a class X is not that of classes.
        return cls.__name__


class Array(metaclass=ArrayMeta):
    """A JAX array: `Array[DType, Shape]`. Both parameters are optional.

    To a type checker this is ``jax.Array``. At run time ``isinstance(x, Array[floating])`` is true for
    arrays with that dtype and shape. That includes tracers (inside `jax.jit`, `jax.vmap`, `jax.grad`).

    * `DType`: a dtype class, concrete (`float32`), abstract (`floating`) or weak (`weak_float`).
    * `Shape`: a tuple type. A dim is `Literal[3]`, a type variable, `Any` or `int`. One part can have
      an unknown length: `*Bs`, `*tuple[Any, ...]` (PEP 646). A type variable has one size in an
      annotation, so `Array[float32, tuple[N, N]]` is square.

    Raises:
        TypeError: you call it, inherit from it, or pass parameters that a type checker would reject.
    """

    __module__ = PUBLIC_MODULE
    __slots__ = ()


def is_array(value: object, annotation: type, /) -> bool:
    """Whether `value` is an array that fits `annotation`; the same as `isinstance(value, annotation)`.

    Type checkers reject `isinstance` with an annotation that has parameters, and do not narrow by it. They
    do narrow by this function.

    Raises:
        TypeError: `annotation` is not an array annotation.
    """
    if isinstance(annotation, type) and issubclass(annotation, Array):
        return isinstance(value, annotation)
    raise TypeError(f"{source(annotation)} is not an array annotation. {_array_remedy(annotation)}")


def _array_remedy(item: Any) -> str:
    members = typing.get_args(item) if is_union(item) else (item,)
    if all(isinstance(member, DTypeMeta) for member in members):
        return f"Write Array[{source(item)}]."
    return "Write one such as Float32[B, D], or Array[float32 | bfloat16] for one of several dtypes."


is_array.__module__ = PUBLIC_MODULE

#: One class for one annotation, so that equality, hashing and pickling are those of classes.
_made: weakref.WeakValueDictionary[Any, ArrayMeta] = weakref.WeakValueDictionary()
_making = threading.Lock()


def parametrize(dtype: Any, shape: Any) -> ArrayMeta:
    """The annotation `Array[dtype, shape]`; the same class every time.

    Raises:
        TypeError: `dtype` is not a dtype class or `shape` is not a tuple type.
    """
    dtype = as_class(dtype)
    shape = tuple_type(typing.get_args(shape)) if typing.get_origin(shape) is tuple else shape
    tests, pattern = compile_elements(dtype), compile_shape(shape)  # first: what passes is hashable
    with _making:
        known = _made.get((dtype, shape))
        if known is None:
            known = _made[dtype, shape] = _make(dtype, shape, tests, pattern)
        return known


def _make(dtype: Any, shape: Any, tests: tuple[ElementTest, ...], pattern: ShapePattern) -> ArrayMeta:
    parts = [source(dtype)] + ([] if shape is Any else [source(shape)])
    namespace = {
        "__module__": PUBLIC_MODULE,
        "__doc__": Array.__doc__,
        "__slots__": (),
        "__args__": (dtype, shape),
        "__parameters__": tuple_type([dtype, shape]).__parameters__,
        "_elements": tests,
        "_shape": pattern,
    }
    return type.__new__(ArrayMeta, f"Array[{', '.join(parts)}]", (Array,), namespace)


def _two(params: tuple[Any, ...]) -> tuple[Any, Any]:
    """The dtype and the shape, where the shape may be left out."""
    if len(params) == 1:
        return params[0], Any
    if len(params) == 2:
        return params[0], params[1]
    dtype, dims = (source(params[0]), ", ".join(map(source, params[1:]))) if params else ("float32", "B, D")
    raise TypeError(
        f"Array takes a dtype and a shape, got {len(params)} parameters. Write Array[{dtype}, tuple[{dims}]]."
    )


def _reduce(annotation: ArrayMeta) -> str | tuple[Any, ...]:
    return "Array" if annotation is Array else (parametrize, annotation.__args__)


copyreg.pickle(ArrayMeta, _reduce)

#: The dims of an alias: `Float32` alone leaves them open, `Float32[B, D]` fills them in.
Dims = typing.TypeVarTuple("Dims")


def _aliases() -> dict[str, ArrayMeta]:
    names = {row.alias: row.class_name for row in ROWS.values()}
    shape = tuple_type([typing.Unpack[Dims]])  # pyright: ignore[reportGeneralTypeIssues] - bound by nothing
    names |= {alias: name for name, alias in dtypes.ABSTRACT_ALIASES.items()}
    return {alias: parametrize(CLASSES[name], shape) for alias, name in names.items()}


#: Every alias by its name: `Float32` is `Array[float32, tuple[*Dims]]`.
ALIASES: dict[str, ArrayMeta] = _aliases()
