"""`Like[Float32[B, D]]` at run time: arrays that fit an annotation, and values that JAX converts to them."""

from __future__ import annotations

import copyreg
import threading
import weakref
from typing import Any, NoReturn

import numpy as np

from jaxtyping_core._annotations.array import Array, ArrayMeta
from jaxtyping_core._annotations.scalars import PUBLIC_MODULE
from jaxtyping_core._annotations.source import source
from jaxtyping_core.promotion import x64_enabled


class LikeMeta(type):
    """The class of `Like` and of everything made by subscripting it."""

    _annotation: ArrayMeta = Array

    @property
    def __args__(cls) -> tuple[Any, ...]:
        return (cls._annotation,)

    @property
    def __parameters__(cls) -> tuple[Any, ...]:
        return cls._annotation.__parameters__

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> LikeMeta:
        if bases:
            raise TypeError(
                f"{name} cannot inherit from {bases[-1]}: it is an annotation and has no instances."
            )
        return super().__new__(cls, name, bases, namespace)

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{cls} is an annotation and cannot create arrays. Use jax.numpy.asarray.")

    def __getitem__(cls, params: Any) -> LikeMeta:
        """`Like[Float32[B, D]]`, or one with its type variables replaced.

        Raises:
            TypeError: a parameter is not an array annotation, or there are no type variables to replace.
        """
        annotation = cls._annotation[params] if cls is not Like else params
        if not isinstance(annotation, ArrayMeta):
            raise TypeError(
                f"Like takes an array annotation, got {source(annotation)}. Write Like[Float32[B, D]]."
            )
        return like(annotation)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls._annotation) or _converts(instance, cls._annotation)

    def __str__(cls) -> str:
        return cls.__name__


def _converts(value: Any, annotation: ArrayMeta) -> bool:
    """Whether `value` is of NumPy and JAX makes an array of it that `annotation` accepts."""
    return isinstance(value, np.ndarray | np.generic) and annotation.accepts_converted(value, x64_enabled())


class Like(metaclass=LikeMeta):
    """Values that JAX converts to an array: `Like[Float32[B, D]]` accepts such arrays, and NumPy arrays and scalars.

    A NumPy array fits if its shape fits, and its dtype after conversion. With 64-bit types off, JAX
    converts float64 to float32.

    Raises:
        TypeError: you call it, or the parameter is not an array annotation.
    """

    __module__ = PUBLIC_MODULE


#: One class for one annotation, as with `Array`.
_made: weakref.WeakValueDictionary[ArrayMeta, LikeMeta] = weakref.WeakValueDictionary()
_making = threading.Lock()


def like(annotation: ArrayMeta) -> LikeMeta:
    """`Like[annotation]`; the same class every time."""
    with _making:
        known = _made.get(annotation)
        if known is None:
            namespace = {"__module__": PUBLIC_MODULE, "__doc__": Like.__doc__, "_annotation": annotation}
            known = _made[annotation] = type.__new__(LikeMeta, f"Like[{annotation}]", (Like,), namespace)
        return known


def _reduce(annotation: LikeMeta) -> str | tuple[Any, ...]:
    return "Like" if annotation is Like else (like, annotation.__args__)


copyreg.pickle(LikeMeta, _reduce)
