"""What JAX raises because an array is traced, where it raises that in the program, too.

In the walk all arrays are traced. So a call is made once more with plain arrays in place of all that have numbers in the program,
and only what is refused then is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...identity import identity
from ..control import RaisedException
from ..libraries.calls.memo import OF_ARRAYS, module_root
from ..libraries.calls.methods import holder_of
from ..libraries.jax import jit_arguments
from ..values import arrays
from ..values.trees import map_tree
from ..values.unknowns import UNKNOWN, ConcretizationError, is_unknown
from .tracing import KIND, NEEDS, STATIC, tell, told

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Words of JAX's about an argument of a custom rule that is not differentiated by.
NONDIFF = re.compile(r"\bnondiff_argnums\b")
#: What to write in place of what JAX refuses, by JAX's words.
REMEDIES = (
    (re.compile(r"^Shapes must be 1D"), f"a size must be known: take it from a shape, or {STATIC}"),
    (
        re.compile(r"must have static start/stop/step|Slice entries must be static"),
        "the ends of a slice must be known: use jax.lax.dynamic_slice_in_dim(x, start, size)",
    ),
    (
        re.compile(r"__hash__ and __eq__|unhashable type: '\w*Tracer'"),
        f"{STATIC}, or pass a Python number",
    ),
    (re.compile(r"expected a sequence of integers|number is required, not \w*Tracer"), f"{STATIC}"),
    (NONDIFF, "nondiff_argnums does not accept arrays: pass it as an ordinary argument"),
    (re.compile(r"boolean ind(?:ex|ices)"), NEEDS["mask"][1]),
    (re.compile(r"\bsize\b.*argument|argument.*\bsize\b"), "pass the number of results: size=..."),
)
#: The class of what ``x.at[index]`` is.
OF_AT = "_IndexUpdateRef"
#: The first of these are of errors that have no class of their own.
OF_PYTHON = 4


def refused(
    interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any], error: Exception
) -> bool:
    """Report an error of JAX's about a tracer, if the call leads to it in the program, too; whether it does."""
    wrong = jit_arguments.told(error)
    if wrong is not None and interpreter.traces.is_on:
        interpreter.refuse(KIND, wrong, once=True)
        return True
    if not is_about_tracers(error):
        return False
    of_any = _refuses_any(f, error)
    traced = interpreter.traces.is_traced if of_any else interpreter.traces.has_no_number
    leaves = _leaves([args, kwargs, *_held(f)])
    of_arrays = [leaf for leaf in leaves if arrays.is_array(leaf)]
    blamed = [leaf for leaf in of_arrays if traced(leaf)]
    if not blamed or any(is_unknown(leaf) for leaf in leaves):
        return False
    if len(blamed) < len(of_arrays) and not _is_refused_again(interpreter, f, args, kwargs, error, traced):
        return False
    needed = [
        leaf
        for leaf in blamed
        if not _is_refused_again(interpreter, f, args, kwargs, error, _but(leaf, traced))
    ]
    spelled = ", ".join(dict.fromkeys(str(arrays.spelled_array(leaf)) for leaf in needed or blamed))
    tell(
        interpreter, f"{told(interpreter)} needs a value that is traced here ({spelled}); {_remedy(f, error)}"
    )
    return True


def stays(
    interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any], error: Exception
) -> bool:
    """Whether a refusal stays where the small arrays of ints and bools have numbers that have such in the program.

    JAX may have asked one for its number, in a function that has its own words for that.
    """

    def is_asked(leaf: Any) -> bool:
        return (
            arrays.is_array(leaf)
            and leaf.ndim < 2
            and all(type(size) is int for size in leaf.shape)
            and leaf.dtype.kind in "iub"
            and not interpreter.traces.has_no_number(leaf)
        )

    leaves = _leaves([args, kwargs])
    # A function of the program is not walked again.
    walks = (
        not is_of_jax(f)
        or identity(f) in interpreter.made
        or any(
            identity(leaf) in interpreter.functions or identity(leaf) in interpreter.made for leaf in leaves
        )
    )
    if walks or not any(map(is_asked, leaves)):
        return True
    return _is_refused_again(interpreter, f, args, kwargs, error, lambda leaf: not is_asked(leaf))


def of_numpy(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Report a call of NumPy's that takes no tracer: most convert what they are given, and some only ask for its shape."""
    if not any(map(interpreter.traces.is_traced, _leaves([args, kwargs]))):
        return
    if isinstance(f, np.ufunc) and any(is_unknown(leaf) for leaf in _leaves([args, kwargs])):
        leaf = next(filter(interpreter.traces.is_traced, _leaves([args, kwargs])))
        tell(
            interpreter,
            f"{told(interpreter)} needs a value that is traced here ({arrays.spelled_array(leaf)}); {_counterpart(f)}",
        )
        return
    try:
        f(*args, **kwargs)
    except Exception as error:  # what real code raises is what the program would meet
        refused(interpreter, f, args, kwargs, error)


def is_about_tracers(error: Exception) -> bool:
    """Whether JAX raises an error because an array is traced."""
    if isinstance(error, jax.errors.JAXTypeError | jax.errors.JAXIndexError):
        if isinstance(error, jax.errors.UnexpectedTracerError):
            return NONDIFF.search(str(error)) is not None
        return not isinstance(error, jax.errors.KeyReuseError)
    is_told = any(words.search(str(error)) for words, _ in REMEDIES[:OF_PYTHON])
    return type(error) in (TypeError, IndexError) and is_told


def _refuses_any(f: Any, error: Exception) -> bool:
    """Whether every tracer is refused, also one of a derivative: by Python's and NumPy's functions, and methods that convert."""
    if isinstance(error, jax.errors.TracerArrayConversionError | jax.errors.UnexpectedTracerError):
        return True
    if isinstance(error, jax.errors.TracerBoolConversionError | jax.errors.TracerIntegerConversionError):
        return False
    return not is_of_jax(f) or getattr(f, "__name__", "") in ("item", "tolist")


def is_of_jax(f: Any) -> bool:
    """Whether a function is JAX's, or a method of an array of JAX, or an operator."""
    return module_root(f) in OF_ARRAYS


def _is_refused_again(
    interpreter: Interpreter,
    f: Any,
    args: list[Any],
    kwargs: dict[str, Any],
    error: Exception,
    traced: Callable[[Any], bool],
) -> bool:
    """Whether a call is refused in the same way where all arrays that have numbers in the program are plain ones."""

    def plain(leaf: Any) -> Any:
        return leaf if traced(leaf) or not arrays.is_array(leaf) else _plain(leaf)

    try:
        new_args, new_kwargs = _changed([args, kwargs], plain)
        _with_held(f, _changed(_held(f), plain))(*new_args, **new_kwargs)
    except (RaisedException, ConcretizationError):
        return False
    except Exception as again:  # what real code raises is what the program would meet
        return type(again) is type(error)
    return False


def _held(f: Any) -> list[Any]:
    """What a method is one of, as far as arrays are in it: an array, or an array and the index of ``x.at[index]``."""
    holder = holder_of(f)
    return [holder.array, holder.index] if type(holder).__name__ == OF_AT else [holder]


def _with_held(f: Any, held: list[Any]) -> Any:
    """A method of other arrays."""
    if len(held) > 1:
        array, index = held
        return getattr(array.at[index], f.__name__)
    return getattr(held[0], f.__name__) if arrays.is_array(held[0]) else f


def _but(number: Any, traced: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """What is traced if one array is not."""
    return lambda leaf: leaf is not number and traced(leaf)


def _plain(leaf: Any) -> Any:
    """An array with numbers of the same dtype and sizes.

    Raises:
        TypeError, ValueError: there is none, of random keys and unknown sizes.
    """
    with jax.ensure_compile_time_eval():
        return jax.numpy.asarray(np.ones(tuple(map(int, leaf.shape)), leaf.dtype))


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with other leaves; the ends of slices are leaves, too."""

    def of_leaf(leaf: Any) -> Any:
        if isinstance(leaf, slice):
            return slice(*map(change, (leaf.start, leaf.stop, leaf.step)))
        return change(leaf)

    return map_tree(of_leaf, value)


def _leaves(value: Any) -> list[Any]:
    seen: list[Any] = []
    try:
        _changed(value, seen.append)
    except Exception:  # code of registered classes may raise anything: then no more is known
        return [UNKNOWN]
    return seen


def _remedy(f: Any, error: Exception) -> str:
    words = str(error)
    for pattern, remedy in REMEDIES:
        if pattern.search(words):
            return remedy
    return _counterpart(f) or STATIC


def _counterpart(f: Any) -> str | None:
    """The function of JAX in place of one of NumPy or Python."""
    name = getattr(f, "__name__", "")
    if str(getattr(f, "__module__", None) or type(f).__module__).partition(".")[0] in ("numpy", "math"):
        return f"use jnp.{name}" if hasattr(jnp, name) else "use jax.pure_callback"
    return None
