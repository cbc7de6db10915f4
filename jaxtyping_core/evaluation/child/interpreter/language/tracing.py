"""What a program asks of an array that JAX traces, and only a number could answer: ``if x > 0``, ``float(x)``, ``zeros(n)``.

Each message says what needs the number, and what to write in place of it. The source of the rules is JAX's page of errors
(`jax.errors`). What JAX itself raises is asked of JAX: a call is made once more with plain arrays in place of all that have
numbers in the program, and only what is refused then is reported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....values import PYTHON_NUMBERS
from ..control import Raised
from ..libraries import jit_arguments
from ..libraries.memory import OF_ARRAYS, module_root
from ..libraries.methods import holder_of
from ..values import arrays
from ..values.trees import map_tree
from ..values.unknowns import UNKNOWN, NeedsValue, Partial, Unknown
from .truth import truth

if TYPE_CHECKING:
    from ..machine import Machine

KIND = "tracing"
STATIC = "make it static (static_argnums, static_argnames)"
#: Who needs a number, and what to write in place of that.
NEEDS = {
    "if": ("an if needs its value", "use jnp.where or jax.lax.cond"),
    "while": ("a while needs its value", "use jax.lax.while_loop"),
    "assert": ("an assert needs its value", "use jax.experimental.checkify.check"),
    "logical": ("and, or and not need its value", "use jnp.logical_and (&), jnp.logical_or (|) or ~"),
    "in": ("in needs its value", "use jnp.isin, or jnp.any of a comparison"),
    "match": ("a match needs its value", "use jax.lax.switch"),
    "bool": ("bool() needs its value", "use jnp.where or jax.lax.cond"),
    "int": ("int() needs its value", f"use x.astype(int), or {STATIC}"),
    "float": ("float() needs its value", "leave it an array, or use x.astype(float)"),
    "complex": ("complex() needs its value", "leave it an array, or use x.astype(complex)"),
    "range": ("range() needs its value", f"use jax.lax.fori_loop, or {STATIC}"),
    "min": ("min() compares its value", "use jnp.minimum or jnp.min"),
    "max": ("max() compares its value", "use jnp.maximum or jnp.max"),
    "sorted": ("sorted() compares its value", "use jnp.sort"),
    "any": ("any() needs its value", "use jnp.any of an array"),
    "all": ("all() needs its value", "use jnp.all of an array"),
    "math": ("a function of math needs its value", "use its namesake of jnp"),
    "filter": ("filter() needs its value", "use jnp.where"),
    "list index": ("a list or a tuple needs its value as an index", "index an array: jnp.stack(items)[i]"),
    "numpy index": ("an array of NumPy needs its value as an index", "use jnp.asarray(table)[i]"),
    "format": ("a format needs its value", "use jax.debug.print"),
    "mask": (
        "the number of True in a mask is not known while JAX traces",
        "use jnp.where(mask, x, fill), or jnp.nonzero(mask, size=...)",
    ),
}
#: What Python calls the asker of a number that every tracer refuses.
OF_ANY_TRACER = frozenset({"complex", "float", "format", "math"})
#: What to write in place of what JAX refuses, by JAX's words.
REMEDIES = (
    (re.compile(r"^Shapes must be 1D"), f"a size must be known: take it from a shape, or {STATIC}"),
    (
        re.compile(r"must have static start/stop/step"),
        "the ends of a slice must be known: use jax.lax.dynamic_slice_in_dim(x, start, size)",
    ),
    (re.compile(r"boolean ind(?:ex|ices)"), NEEDS["mask"][1]),
    (re.compile(r"\bsize\b.*argument|argument.*\bsize\b"), "give the number of results: size=..."),
)
#: The method of ``x.at[i]`` for each operator of an assignment.
METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
#: The longest source of an expression that a message shows.
LONGEST = 40


def decided(machine: Machine, value: Any, asker: str, node: ast.expr | None = None) -> bool | None:
    """The truth of a value; that of a traced array is not known to the program either, which is reported."""
    asked(machine, value, asker, node)
    return truth(value)


def asked(machine: Machine, value: Any, asker: str, node: ast.expr | None = None) -> None:
    """Report that something needs the number of a traced array.

    Args:
        asker: the key of `NEEDS`.
        node: the expression that gives the value, where that is not the call that the walk is at.
    """
    if not _is_refused(machine, value, asker):
        return
    before = machine.node
    machine.node = node or before
    needs, remedy = NEEDS[asker]
    told = _argument(before) if node is None else _source(node, "the condition")
    _tell(machine, f"{told} is traced here ({arrays.spelled_array(value)}), and {needs}; {remedy}")
    machine.node = before
    machine.uncertain += 1


def compared(machine: Machine, keys: list[Any], asker: str) -> None:
    """Report that Python compares traced arrays to find the least, the largest or the order."""
    if len(keys) > 1:
        for key in filter(machine.traces.has_no_number, keys):
            asked(machine, key, asker)
            return


def sought(machine: Machine, member: Any, holder: Any) -> None:
    """Report that Python compares a traced array with the items of something."""
    if arrays.is_array(holder):
        asked(machine, holder, "in")
    elif isinstance(holder, (list, tuple)) and holder and holder[0] is not member:
        sides = (member, holder[0])
        if all(arrays.is_array(side) or type(side) in PYTHON_NUMBERS for side in sides):
            compared(machine, [*sides], "in")


def _tell(machine: Machine, message: str) -> None:
    """Report it, once at each place: a function that is walked again has other arrays."""
    place = (
        machine.frame.scope.module.path,
        getattr(machine.node, "lineno", 0),
        getattr(machine.node, "col_offset", 0),
    )
    if not any(key[:3] == place and known["kind"] == KIND for key, known in machine.refusals.items()):
        machine.refuse(KIND, message, once=True)


def _argument(node: ast.AST | None) -> str:
    """The argument of the call that the walk is at."""
    match node:
        case ast.Call(args=[argument], keywords=[]):
            return _source(argument, "the argument")
        case ast.Subscript(slice=key):
            return _source(key, "the index")
    return "an argument"


def _is_refused(machine: Machine, value: Any, asker: str) -> bool:
    if asker in OF_ANY_TRACER:
        return bool(machine.traces.is_traced(value))
    return bool(machine.traces.has_no_number(value))


def _source(node: ast.AST, otherwise: str) -> str:
    text = ast.unparse(node)
    return text if len(text) <= LONGEST else otherwise


def _told(machine: Machine) -> str:
    """The expression that the walk is at."""
    match machine.node:
        case ast.Call(func=func) as call:
            return _source(call, _source(func, "this call"))
        case ast.expr() as node:
            return _source(node, "this expression")
    return "this statement"


def refused(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any], error: Exception) -> None:
    """Report an error of JAX's about a tracer, if the call leads to it in the program, too."""
    wrong = jit_arguments.told(error)
    if wrong is not None and machine.traces.is_on:
        machine.refuse(KIND, wrong, once=True)
    if not is_about_tracers(error):
        return
    of_any = _refuses_any(f, error)
    traced = machine.traces.is_traced if of_any else machine.traces.has_no_number
    leaves = _leaves([args, kwargs, holder_of(f)])
    of_arrays = [leaf for leaf in leaves if arrays.is_array(leaf)]
    blamed = [leaf for leaf in of_arrays if traced(leaf)]
    if not blamed or any(isinstance(leaf, Unknown) for leaf in leaves):
        return
    if len(blamed) < len(of_arrays) and not _is_refused_again(machine, f, args, kwargs, error, traced):
        return
    spelled = ", ".join(dict.fromkeys(str(arrays.spelled_array(leaf)) for leaf in blamed))
    _tell(machine, f"{_told(machine)} needs a value that is traced here ({spelled}); {_remedy(f, error)}")


def assigned(machine: Machine, holder: Any, target: ast.Subscript) -> None:
    """Report an assignment to an item of an array of JAX."""
    is_array = arrays.is_array(holder) and type(holder.aval).__name__ == "ShapedArray"  # and no reference
    if not is_array and not isinstance(holder, Partial):
        return
    before = machine.node
    method = METHODS.get(type(before.op), "apply") if isinstance(before, ast.AugAssign) else "set"
    name, key = ast.unparse(target.value), ast.unparse(target.slice)
    machine.node = target
    _tell(
        machine,
        f"arrays of JAX cannot be changed in place ({name} is {arrays.spelled_array(holder)});"
        f" write {name} = {name}.at[{key}].{method}(...)",
    )
    machine.node = before


def left(machine: Machine, f: Any, args: list[Any]) -> None:
    """Report that a call is given an array of a transformation that has ended."""
    for value in args:
        takes_apart = type(value) in (list, tuple) and module_root(f) == "jax"
        for each in value if takes_apart else (value,):
            if machine.traces.is_left(each):
                machine.refuse(
                    "leak",
                    f"{_told(machine)} uses {arrays.spelled_array(each)} from inside a function that JAX has traced;"
                    " return it from that function, and use what the call gives",
                )
                return


def of_numpy(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Report a call of NumPy's that takes no tracer: most convert what they are given, and some only ask for its shape."""
    import numpy as np

    if not any(map(machine.traces.is_traced, _leaves([args, kwargs]))):
        return
    if isinstance(f, np.ufunc) and any(isinstance(leaf, Unknown) for leaf in _leaves([args, kwargs])):
        leaf = next(filter(machine.traces.is_traced, _leaves([args, kwargs])))
        _tell(
            machine,
            f"{_told(machine)} needs a value that is traced here ({arrays.spelled_array(leaf)}); {_counterpart(f)}",
        )
        return
    try:
        f(*args, **kwargs)
    except Exception as error:  # what real code raises is what the program would meet
        refused(machine, f, args, kwargs, error)


def is_about_tracers(error: Exception) -> bool:
    """Whether JAX raises an error because an array is traced."""
    import jax

    if isinstance(error, jax.errors.JAXTypeError | jax.errors.JAXIndexError):
        return not isinstance(error, jax.errors.UnexpectedTracerError | jax.errors.KeyReuseError)
    return type(error) in (TypeError, IndexError) and any(
        words.search(str(error)) for words, _ in REMEDIES[:2]
    )


def _refuses_any(f: Any, error: Exception) -> bool:
    """Whether every tracer is refused, also one of a derivative: by Python's and NumPy's functions, and methods that convert."""
    import jax

    if isinstance(error, jax.errors.TracerArrayConversionError):
        return True
    if isinstance(error, jax.errors.TracerBoolConversionError | jax.errors.TracerIntegerConversionError):
        return False
    return not is_of_jax(f) or getattr(f, "__name__", "") in ("item", "tolist")


def is_of_jax(f: Any) -> bool:
    """Whether a function is JAX's, or a method of an array of JAX, or an operator."""
    return module_root(f) in OF_ARRAYS


def _is_refused_again(
    machine: Machine,
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
        holder = holder_of(f)
        called = getattr(plain(holder), f.__name__) if arrays.is_array(holder) else f
        called(*new_args, **new_kwargs)
    except (Raised, NeedsValue):
        return False
    except Exception as again:  # what real code raises is what the program would meet
        return type(again) is type(error)
    return False


def _plain(leaf: Any) -> Any:
    """An array with numbers of the same dtype and sizes.

    Raises:
        TypeError, ValueError: there is none, of random keys and unknown sizes.
    """
    import jax
    import numpy as np

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
    import jax.numpy as jnp

    name = getattr(f, "__name__", "")
    if str(getattr(f, "__module__", None) or type(f).__module__).partition(".")[0] in ("numpy", "math"):
        return f"use jnp.{name}" if hasattr(jnp, name) else "use jax.pure_callback"
    return None
