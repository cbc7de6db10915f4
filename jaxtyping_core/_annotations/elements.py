"""The dtype parameter of an array: a dtype class, compiled to the dtypes that it accepts."""

from __future__ import annotations

import sys
import typing
from typing import Any, NamedTuple

from jaxtyping_core import dtypes
from jaxtyping_core._annotations.scalars import CLASSES, PUBLIC_MODULE, ROWS, DTypeMeta
from jaxtyping_core._annotations.sizes import resolve
from jaxtyping_core._annotations.source import bounds, is_union, source


class DTypeParameterError(TypeError):
    """What stands in the place of the dtype is no dtype class."""


class ElementTest(NamedTuple):
    """Dtypes by name; with `weak`, only where the array is weakly typed."""

    names: frozenset[str] | None  # None: every dtype, JAX's extended ones (`key<fry>`) too
    weak: bool = False

    def accepts(self, array: Any) -> bool:
        """Whether the elements of `array`, a ``jax.Array`` or a tracer, fit."""
        if self.names is None:
            return True
        # An extended dtype has no weak_type; a name of the table it does not have either.
        return dtype_name(array.dtype) in self.names and (not self.weak or array.weak_type)

    def accepts_converted(self, dtype: Any, x64: bool) -> bool:
        """Whether an array of NumPy of this `dtype` fits once JAX has converted it; its dtype is never weak then."""
        name = dtypes.canonical(dtype_name(dtype), x64)
        return not self.weak and name in (dtypes.DTYPES if self.names is None else self.names)

    def covers(self, other: ElementTest) -> bool:
        """Whether everything that `other` accepts is accepted here."""
        names = self.names is None or (other.names is not None and other.names <= self.names)
        return names and self.weak <= other.weak


ANY_ELEMENT = ElementTest(None)
#: JAX's class of the dtypes of random keys, by its name; and these dtypes.
PRNG_KEY = "prng_key"
KEYS = frozenset({"key<fry>", "key<rbg>", "key<urbg>"})
KEY_ELEMENT = ElementTest(KEYS)


def dtype_name(dtype: Any) -> str:
    """The name of a dtype in the table; ``numpy.dtype.name`` calls `float0` "void"."""
    return "float0" if getattr(dtype, "names", None) == ("float0",) else str(dtype.name)


def as_class(item: Any) -> Any:
    """`item`, or the dtype class that stands for it where `item` is one of ``jax.numpy``.

    To a type checker `jnp.float32` and `jnp.floating` are the classes of this package. At run time the
    second is NumPy's own, so NumPy's abstract classes are taken too.
    """
    if isinstance(item, type) and not isinstance(item, DTypeMeta):
        module = str(type(item).__module__).partition(".")[0]
        name = dtype_name(item.dtype) if module == "jax" and hasattr(item, "dtype") else item.__name__
        known = module == "jax" or (
            name in dtypes.ABSTRACT and item is getattr(sys.modules.get("numpy"), name, None)
        )
        row = dtypes.DTYPES.get(name)
        return CLASSES.get(row.class_name if row else name, item) if known else item
    return item


def compile_elements(item: Any) -> tuple[ElementTest, ...]:
    """What the dtype parameter `item` accepts: an array fits where one of the tests does.

    Raises:
        DTypeParameterError: `item` is no dtype class, ``jax.dtypes.prng_key``, type variable, union of them, or `Any`.
    """
    item = resolve(item)
    if item is Any:
        return (ANY_ELEMENT,)
    if isinstance(item, typing.TypeVar):
        return _either(bounds(item))
    if is_union(item):
        return _either(typing.get_args(item))
    dtype_class = as_class(item)
    if isinstance(dtype_class, DTypeMeta):
        return (_TESTS[dtype_class],)
    if isinstance(item, type) and item.__name__ == PRNG_KEY and item.__module__.partition(".")[0] == "jax":
        return (KEY_ELEMENT,)
    raise DTypeParameterError(f"{_spelled(item)} is not a dtype class. {_remedy(item)}")


def _either(items: tuple[Any, ...]) -> tuple[ElementTest, ...]:
    return tuple(test for item in items for test in compile_elements(item))


def _test(name: str) -> ElementTest:
    if name == "generic":
        return ANY_ELEMENT
    if name in dtypes.WEAK:
        kind = dtypes.WEAK[name]
        return ElementTest(frozenset(dtypes.default_dtype(kind, x64) for x64 in (True, False)), weak=True)
    if name in ROWS:
        return ElementTest(frozenset([ROWS[name].name]))
    return ElementTest(frozenset(dtype for dtype in dtypes.DTYPES if name in dtypes.ancestors(dtype)))


_TESTS: dict[DTypeMeta, ElementTest] = {dtype_class: _test(name) for name, dtype_class in CLASSES.items()}


def _spelled(item: Any) -> str:
    """As in source code; a class of another module, which may have the name of a dtype class, with its module."""
    foreign = isinstance(item, type) and item.__module__ not in ("builtins", PUBLIC_MODULE)
    return f"{item.__module__}.{source(item)}" if foreign else source(item)


def _remedy(item: Any) -> str:
    if any(item is scalar for scalar in dtypes.PYTHON_SCALARS):
        weak = (
            "" if item is bool else f", or weak_{item.__name__} for arrays made from a Python {item.__name__}"
        )
        import numpy as np  # which takes long, and is needed for this message alone

        default = dtypes.default_dtype(np.dtype(item).kind, x64=False)
        return f"Write {dtypes.DTYPES[default].class_name}{weak}."
    name = item if isinstance(item, str) else getattr(item, "name", getattr(item, "__name__", ""))
    if name in dtypes.DTYPES and (class_name := dtypes.DTYPES[name].class_name) in CLASSES:
        return f"Write {class_name} from {PUBLIC_MODULE}."
    return f"Write one of the classes in {PUBLIC_MODULE}, such as float32 or floating."
