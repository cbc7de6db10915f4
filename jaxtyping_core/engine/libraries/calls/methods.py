"""Methods of arrays that are not wholly known, of texts, and of sequences of unknown length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax

from ...language.sequences import items_of
from ...values import arrays, heap
from ...values.dispatch import Array, ByKind
from ...values.joins import join
from ...values.paths import KnownPath
from ...values.python_numbers import CONVERTING, converted
from ...values.records import Record
from ...values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    Partial,
    is_anything,
    is_unknown,
)
from ..jax.at_updates import Update, of_update
from ..python import paths, records

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from ...values.callables import Method


def holder_of(f: Any) -> Any:
    """The object whose method `f` is. A class's own ``__getattr__`` is not asked: that of a library may set the object up."""
    return None if hasattr(type(f), "__getattr__") else getattr(f, "__self__", None)


#: Dtypes with which NumPy computes as JAX does.
OF_NUMPY = frozenset(
    {
        "bool",
        "float16",
        "float32",
        "float64",
        *(f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)),
    }
)
#: The method that waits for an array and gives it back; tracers have none.
WAITING = "block_until_ready"
#: Methods that arrays of NumPy and of JAX have.
OF_BOTH = frozenset(
    {
        *(
            "argmax",
            "argmin",
            "astype",
            "clip",
            "copy",
            "flatten",
            "max",
            "mean",
            "min",
            "ravel",
            "repeat",
            "reshape",
        ),
        *("round", "squeeze", "std", "sum", "swapaxes", "transpose", "var"),
    }
)


def of_method(interpreter: Interpreter, method: Method, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What such a method gives."""
    return _METHODS.find(method.holder)(interpreter, method.holder, method.name, args, kwargs)


def _of_anything(
    interpreter: Interpreter, holder: Any, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    if name == "astype" and is_anything(holder):
        interpreter.may_raise_epoch += 1
        return mixed(_of_dtype(args[0] if args else kwargs.get("dtype", UNKNOWN)))
    return UNKNOWN


#: What a method of an object gives, by the kind of that: the interpreter, the object, the name and the arguments are passed.
_METHODS: ByKind[Callable[[Interpreter, Any, str, list[Any], dict[str, Any]], Any]] = ByKind(_of_anything)


_METHODS.of(Record)(records.call_method)
_METHODS.of(KnownPath)(paths.call_method)


@_METHODS.of(Update)
def _of_update(
    interpreter: Interpreter, holder: Update, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    return of_update(interpreter, holder, name, args)


@_METHODS.of(Array)
def _of_array(
    interpreter: Interpreter, holder: Any, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    return converted(holder, name) if name in CONVERTING else holder if name == WAITING else UNKNOWN


@_METHODS.of(Partial)
def _of_partial(
    interpreter: Interpreter, holder: Partial, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    if name in CONVERTING and not interpreter.traces.has_no_number(holder):
        return converted(holder, name)
    return (
        holder if name == WAITING else interpreter.call_abstractly(MethodCall(name), [holder, *args], kwargs)
    )


@_METHODS.of(ArrayLike)
def _of_mixed(
    interpreter: Interpreter, holder: ArrayLike, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    return mixed(interpreter.call_abstractly(MethodCall(name), [holder.array, *args], kwargs))


@_METHODS.of(AbstractScalar)
def _of_text(
    interpreter: Interpreter, holder: AbstractScalar, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    return of_text(name)


def of_text(name: str) -> Any:
    """What a method of a text gives, whatever the text and the arguments are."""
    if name.startswith("is"):
        return AbstractScalar(bool)
    kind = _OF_TEXTS.get(name, str)
    if kind is list:
        return AbstractSequence(AbstractScalar(str))
    if kind is tuple:
        return tuple(AbstractScalar(str) for _ in range(3))
    return UNKNOWN if kind is object else AbstractScalar(kind)


def mixed(array: Any) -> Any:
    """An array that may be NumPy's as well, where that makes no difference to JAX.

    To NumPy half a bfloat16 is a float32, and a weak dtype is not weak.
    """
    known = arrays.known_of(array)
    if known is None or known.dtype is None or known.dtype not in OF_NUMPY:
        return UNKNOWN
    return ArrayLike(arrays.of_known(replace(known, weak=None)) if known.weak else array)


def _of_dtype(dtype: Any) -> Any:
    """An array of this dtype, of which nothing else is known."""
    if is_unknown(dtype):
        return UNKNOWN
    try:
        return arrays.array(jax.dtypes.canonicalize_dtype(dtype).name, False, None)
    except (TypeError, ValueError):  # of texts or objects, or one of another library
        return UNKNOWN


#: What methods of texts give that is no text: an `object` is anything.
_OF_TEXTS = {
    **dict.fromkeys(("startswith", "endswith"), bool),
    **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), int),
    **dict.fromkeys(("rsplit", "split", "splitlines"), list),
    **dict.fromkeys(("partition", "rpartition"), tuple),
    **dict.fromkeys(("encode", "maketrans"), object),
}


class MethodCall:
    """Calls a method of its first argument, under the same name the same object."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, holder: Any, *args: Any, **kwargs: Any) -> Any:
        method = getattr(holder, self.name)
        return method(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MethodCall) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


@_METHODS.of(AbstractSequence)
def _of_many(
    interpreter: Interpreter, holder: AbstractSequence, name: str, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    """A method of a list, a set or a dict of which the items are not known one by one."""
    heap.changing(holder)
    if holder.kind is dict:
        return _of_dict(holder, name, args)
    if name in ("append", "insert", "appendleft", "add"):
        holder.item = join(holder.item, args[-1])
        return None
    if name in ("extend", "extendleft", "update"):
        for each in args:
            for item in items_of(interpreter, each).to_join():
                holder.item = join(holder.item, item)
        return None
    if name in ("pop", "popleft"):
        holder.some = False
        return holder.item
    if name == "copy":
        return AbstractSequence(holder.item, holder.some, holder.kind, holder.since)
    if name in ("clear", "remove", "discard"):
        holder.some = False
        return None
    if name in ("sort", "reverse", "rotate"):
        return None
    if name in ("index", "count"):
        return AbstractScalar(int)
    holder.item = UNKNOWN
    return UNKNOWN


def _of_dict(holder: AbstractSequence, name: str, args: list[Any]) -> Any:
    """A method of a dict of which the keys are not known."""
    if name == "values":
        return AbstractSequence(holder.item, holder.some, since=holder.since)
    if name == "keys":
        return AbstractSequence(UNKNOWN, holder.some)
    if name == "items":
        return AbstractSequence((UNKNOWN, holder.item), holder.some, since=holder.since)
    if name == "get":
        return join(holder.item, args[1] if len(args) > 1 else None)
    if name == "copy":
        return AbstractSequence(holder.item, holder.some, dict, holder.since)
    holder.item = UNKNOWN
    return UNKNOWN
