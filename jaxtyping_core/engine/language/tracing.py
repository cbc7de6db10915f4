"""What a program asks of an array that JAX traces, and only a number could answer: ``if x > 0``, ``float(x)``, ``zeros(n)``.

Each message says what needs the number, and what to write in place of it. The source of the rules is JAX's page of errors
(`jax.errors`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ...domain.values import PYTHON_NUMBERS
from ..libraries.calls.memo import module_root
from ..values import arrays
from ..values.unknowns import Partial
from .truth import truth

if TYPE_CHECKING:
    from ..interpreter import Interpreter

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
    "math": ("a function of math needs its value", "use the jnp function of the same name"),
    "filter": ("filter() needs its value", "use jnp.where"),
    "list index": ("an index of a list or tuple needs its value", "index an array: jnp.stack(items)[i]"),
    "numpy index": ("an index of a NumPy array needs its value", "use jnp.asarray(table)[i]"),
    "format": ("formatting needs its value", "use jax.debug.print"),
    "mask": (
        "JAX does not know the number of True values in a mask while it traces",
        "use jnp.where(mask, x, fill), or jnp.nonzero(mask, size=...)",
    ),
}
#: What Python calls the asker of a number that every tracer refuses.
OF_ANY_TRACER = frozenset({"complex", "float", "format", "math"})
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


def decided(interpreter: Interpreter, value: Any, asker: str, node: ast.expr | None = None) -> bool | None:
    """The truth of a value; that of a traced array is not known to the program either, which is reported."""
    asked(interpreter, value, asker, node)
    return truth(value)


def asked(interpreter: Interpreter, value: Any, asker: str, node: ast.expr | None = None) -> None:
    """Report that something needs the number of a traced array.

    Args:
        asker: the key of `NEEDS`.
        node: the expression that gives the value, where that is not the call that the walk is at.
    """
    if not _is_refused(interpreter, value, asker):
        return
    before = interpreter.node
    interpreter.node = node or before
    needs, remedy = NEEDS[asker]
    told = argument_of(before) if node is None else _source(node, "the condition")
    tell(interpreter, f"{told} is traced here ({arrays.spelled_array(value)}), and {needs}; {remedy}")
    interpreter.node = before
    interpreter.may_raise_epoch += 1


def compared(interpreter: Interpreter, keys: list[Any], asker: str) -> None:
    """Report that Python compares traced arrays to find the least, the largest or the order."""
    if len(keys) > 1:
        for key in filter(interpreter.traces.has_no_number, keys):
            asked(interpreter, key, asker)
            return


def sought(interpreter: Interpreter, member: Any, holder: Any) -> None:
    """Report that Python compares a traced array with the items of something."""
    if arrays.is_array(holder):
        asked(interpreter, holder, "in")
    elif isinstance(holder, (list, tuple)) and holder and holder[0] is not member:
        sides = (member, holder[0])
        if all(arrays.is_array(side) or type(side) in PYTHON_NUMBERS for side in sides):
            compared(interpreter, [*sides], "in")


def tell(interpreter: Interpreter, message: str) -> None:
    """Report it, once at each place: a function that is walked again has other arrays."""
    place = (
        interpreter.frame.scope.module.path,
        getattr(interpreter.node, "lineno", 0),
        getattr(interpreter.node, "col_offset", 0),
    )
    if not any(
        key[:3] == place and known["kind"] == KIND for key, known in interpreter.diagnostics.refusals.items()
    ):
        interpreter.refuse(KIND, message, once=True)


def argument_of(node: ast.AST | None) -> str:
    """The source of what an expression asks about: the argument of a call, an index."""
    """The argument of the call that the walk is at."""
    match node:
        case ast.Call(args=[argument], keywords=[]):
            return _source(argument, "the argument")
        case ast.Subscript(slice=key):
            return _source(key, "the index")
    return "an argument"


def _is_refused(interpreter: Interpreter, value: Any, asker: str) -> bool:
    if asker in OF_ANY_TRACER:
        return bool(interpreter.traces.is_traced(value))
    return bool(interpreter.traces.has_no_number(value))


def _source(node: ast.AST, otherwise: str) -> str:
    text = ast.unparse(node)
    return text if len(text) <= LONGEST else otherwise


def hashed(interpreter: Interpreter, value: Any) -> None:
    """Report that a key of a dict, or an item of a set, is an array of JAX, which has no hash."""
    if arrays.is_array(value) or isinstance(value, Partial):
        tell(
            interpreter,
            f"JAX arrays have no hash, so they cannot be keys ({arrays.spelled_array(value)}); use int(x) or x.item()"
            " outside of traced functions, or use an array instead of the dict",
        )


def told(interpreter: Interpreter) -> str:
    """The expression that the walk is at."""
    match interpreter.node:
        case ast.Call(func=func) as call:
            return _source(call, _source(func, "this call"))
        case ast.expr() as node:
            return _source(node, "this expression")
    return "this statement"


def assigned(interpreter: Interpreter, holder: Any, target: ast.Subscript) -> None:
    """Report an assignment to an item of an array of JAX."""
    is_array = arrays.is_array(holder) and type(holder.aval).__name__ == "ShapedArray"  # and no reference
    if not is_array and not isinstance(holder, Partial):
        return
    before = interpreter.node
    method = METHODS.get(type(before.op), "apply") if isinstance(before, ast.AugAssign) else "set"
    name, key = ast.unparse(target.value), ast.unparse(target.slice)
    interpreter.node = target
    tell(
        interpreter,
        f"JAX arrays cannot be changed in place ({name} is {arrays.spelled_array(holder)});"
        f" write {name} = {name}.at[{key}].{method}(...)",
    )
    interpreter.node = before


def left(interpreter: Interpreter, f: Any, args: list[Any]) -> None:
    """Report that a call is given an array of a transformation that has ended."""
    for value in args:
        takes_apart = type(value) in (list, tuple) and module_root(f) == "jax"
        for each in value if takes_apart else (value,):
            if interpreter.traces.is_left(each):
                interpreter.refuse(
                    "leak",
                    f"{told(interpreter)} uses {arrays.spelled_array(each)}, which leaked out of a traced function;"
                    " return it from that function and use the result of the call",
                )
                return
