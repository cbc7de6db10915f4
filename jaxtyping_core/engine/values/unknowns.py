"""The values that stand for what is not known of an object of the program.

Concrete Python objects stand for themselves, and JAX's tracers for arrays of known dtype and rank. Everything else is
one of these. Library code that meets one of them, and would need to know it, gets `ConcretizationError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

from ...domain.arrays import AbstractArray
from . import traces


class ConcretizationError(Exception):
    """Something asked an unknown object what it is."""


def _refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
    raise ConcretizationError(type(self).__name__)


_ASKING = (
    *(
        "bool",
        "iter",
        "len",
        "index",
        "int",
        "float",
        "complex",
        "call",
        "getitem",
        "contains",
        "next",
        "enter",
    ),
    *(
        "add",
        "radd",
        "sub",
        "rsub",
        "mul",
        "rmul",
        "truediv",
        "rtruediv",
        "floordiv",
        "rfloordiv",
        "mod",
        "rmod",
    ),
    *("pow", "rpow", "matmul", "rmatmul", "and", "rand", "or", "ror", "xor", "rxor", "lshift", "rlshift"),
    *(
        "rshift",
        "rrshift",
        "lt",
        "le",
        "gt",
        "ge",
        "eq",
        "ne",
        "neg",
        "pos",
        "invert",
        "abs",
        "round",
        "str",
        "format",
    ),
)


class Unknown:
    """Any object at all."""

    def __repr__(self) -> str:
        return "Unknown"

    def __hash__(self) -> int:
        raise ConcretizationError("hash")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ConcretizationError(name)


for _name in _ASKING:
    setattr(Unknown, f"__{_name}__", _refuse)

UNKNOWN = Unknown()


class PureExternal(Unknown):
    """Any object of a package that keeps and changes nothing of what it is passed, such as a logger."""


PURE_EXTERNAL = PureExternal()


class AbstractScalar(Unknown):
    """A Python bool, int, float or complex of unknown value; also a str."""

    def __init__(self, kind: type, derived: Callable[[], Any] | None = None) -> None:
        self.kind = kind
        #: The symbol of an int that has been used as a size, or the formula that `derived` gives of others.
        self.size: Any = None
        self.derived = derived

    def __repr__(self) -> str:
        return f"Number({self.kind.__name__})"


class Partial(Unknown):
    """An array of JAX of which the dtype, whether it is weak, or the rank is not known."""

    def __init__(self, known: AbstractArray) -> None:
        self.known = known
        #: The trace under which it was made.
        self.trace = traces.reference()

    @property
    def dtype_name(self) -> str | None:
        """The dtype; not under the name that it has for a program."""
        return self.known.dtype

    @property
    def weak(self) -> bool | None:
        return self.known.weak

    @property
    def dims(self) -> tuple[Any, ...] | None:
        return self.known.shape

    def __repr__(self) -> str:
        dtypes = None if self.known.dtypes is None else sorted(self.known.dtypes)
        return f"Partial({dtypes}, {self.weak}, {self.dims})"


class OpenKey(str):
    """A key that stands for all that a dict may have besides its others: a text, as the libraries that sort the keys need."""

    __slots__ = ()


class NumpyArray(Unknown):
    """An array of NumPy whose numbers are not known, and perhaps neither its dtype, its rank or some sizes (None)."""

    def __init__(self, dtype: Any, dims: tuple[Any, ...] | None) -> None:
        self.np_dtype, self.dims = dtype, dims
        #: The rank that it has at most, if the rank is not known.
        self.most: int | None = None
        #: Its sizes as the program has read them, with a symbol for each that is not known.
        self.sizes: tuple[Any, ...] | None = None

    def __repr__(self) -> str:
        return f"NumpyArray({self.np_dtype}, {self.dims})"


class Archive(NumpyArray):
    """A file of several arrays of NumPy, which are known by their names."""

    def __init__(self, arrays: dict[str, NumpyArray]) -> None:
        super().__init__(None, None)
        self.arrays = arrays


class ArrayLike(Unknown):
    """An array of JAX or one of NumPy, which JAX would make `array` of."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __repr__(self) -> str:
        return f"Mixed({self.array!r})"


class AbstractSequence(Unknown):
    """An iterable of any number of items, each of which `item` describes; `some` if there is at least one.

    Unknown sizes of a higher number than `since` may differ from item to item.
    """

    def __init__(self, item: Any, some: bool = False, kind: type = list, since: int = 0) -> None:
        self.item, self.some, self.kind, self.since = item, some, kind, since

    def __repr__(self) -> str:
        return f"Many({self.item!r})"


class Endless(AbstractSequence):
    """An iterator without end, such as ``itertools.count()``. Real code, which might wait for its end, never gets it.

    `fresh` gives its items as long as nothing has taken any.
    """

    def __init__(self, item: Any, fresh: Callable[[], Iterator[Any]]) -> None:
        super().__init__(item, some=True)
        self.fresh: Callable[[], Iterator[Any]] | None = fresh


class Instance(Unknown):
    """An object of a class of the program of which nothing is known but that, and what the class declares of its fields."""

    def __init__(self, cls: type, fields: dict[str, Any] | None = None) -> None:
        self.cls, self.fields = cls, fields or {}


class Callee(Unknown):
    """A function that is known by its annotation alone, such as a parameter ``f: Callable[[X], Y]``.

    `form` is the form of the annotation. `dims` binds the names in it, and `sizes` has the numbers that names stand for.
    """

    def __init__(self, form: Any, dims: Any, sizes: Any = None) -> None:
        self.form, self.dims, self.sizes = form, dims, sizes


class Either(Unknown):
    """One of several functions: which one, only a run knows."""

    def __init__(self, functions: tuple[Any, ...]) -> None:
        self.functions = functions
        #: What stands for it where real code wants a function.
        self.function: Any = None


class Nullable(Unknown):
    """None, or a value without objects of the program in it: a number, a text, an array, a tuple of these, or a logger."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Nullable({self.value!r})"


def without_none(value: Any) -> Any:
    """What a value is where it is not None."""
    return value.value if type(value) is Nullable else value


def has_others(value: Any) -> bool:
    """Whether a dict may have more than the entries that are known."""
    return isinstance(value, dict) and any(type(key) is OpenKey for key in dict.keys(value))


def is_unknown(value: Any) -> TypeGuard[Unknown]:
    """Whether a value is an abstract one."""
    return isinstance(value, Unknown)


def is_scalar(value: Any, *kinds: type) -> TypeGuard[AbstractScalar]:
    """Whether a value is a Python scalar of unknown value, of one of these types if there are any."""
    return type(value) is AbstractScalar and (not kinds or value.kind in kinds)


def is_many(value: Any) -> TypeGuard[AbstractSequence]:
    """Whether a value is a sequence of unknown length, or an iterator."""
    return isinstance(value, AbstractSequence)


def is_dim(value: Any) -> bool:
    """Whether a value is a symbolic size of JAX's."""
    return "DimExpr" in type(value).__name__


def is_endless(value: Any) -> bool:
    """Whether a value is an iterator without end."""
    return type(value) is Endless


def is_anything(value: Any) -> bool:
    """Whether not even the kind of a value is known."""
    return isinstance(value, (PureExternal, AbstractSequence, Instance, Callee, Nullable)) or value is UNKNOWN
