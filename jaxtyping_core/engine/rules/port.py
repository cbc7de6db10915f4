"""What NumPy or PyTorch would give in place of JAX, in files that are ported from one of them.

Only the files are looked at that the request names. What differs is data, in `port_differences`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from ... import dtypes
from ...identity import identity
from ...systems import RANK_0
from ..language import operators
from ..libraries.calls.methods import holder_of
from ..values import arrays, numbers
from .port_differences import (
    BEHAVIOURS,
    IN_PLACE,
    NAMES,
    NUMPY,
    RAISES,
    ROWS,
    TORCH,
    Behaviour,
    DtypeRow,
)
from .rule import Call, Rule

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: The operators, by the names of their functions.
OPERATORS: Mapping[str, Sequence[Any]] = {
    "add": [operators.add],
    "mul": [operators.times],
    "truediv": [operators.truediv],
    "pow": [operators.power],
    "get_item": [operators.get_item],
    **{f.__name__: [f] for f in operators.BINARY.values() if f.__module__ in ("operator", "_operator")},
}
#: The word before the name of a method that no function of `jax.numpy` stands for.
METHOD = "method "
#: Names of arguments that choose a dtype.
DTYPES = ("dtype", "preferred_element_type")
OTHER_DTYPE = "{operands}give{s} {dtype}, and {other} in {library}; {remedy}"
RAISED = "{operands}give{s} {dtype}, and {library} raises; convert the operands to floats of one dtype"
CONVERT = "convert with x.astype({other}) where it matters"
WIDEN = (
    'pass dtype, or switch 64-bit types on with jax.config.update("jax_enable_x64", True), where it matters'
)


class Port(Rule):
    """Looks at the calls of JAX in the files that are ported from one library."""

    SYSTEM: ClassVar[str]

    def after(self, call: Call, equations: Sequence[Any]) -> None:
        files = self.interpreter.ports.get(self.SYSTEM)
        if not files or not self.is_followed or self.interpreter.node is None:
            return
        if self.interpreter.frames[-1].scope.module.path not in files:
            return
        for message in self._told(call):
            self.report(message)
            return

    def _told(self, call: Call) -> Iterator[str]:
        """What differs."""
        name, args = _named(call)
        behaviours = _behaviours(self.SYSTEM)
        in_place = behaviours[IN_PLACE] if isinstance(self.interpreter.node, ast.AugAssign) else ()
        of_method = behaviours.get(METHOD + name, ()) if args is not call.args else ()
        for behaviour in (*behaviours.get(name, ()), *of_method, *in_place):
            if CONDITIONS[behaviour.when](self.interpreter, call, args):
                yield behaviour.told.format(result=_dtype(call.result))
        row = _rows(self.SYSTEM).get(name)
        if row is not None:
            yield from self._of_dtypes(row, call, args)

    def _of_dtypes(self, row: DtypeRow, call: Call, args: Sequence[Any]) -> Iterator[str]:
        result = _dtype(call.result)
        if result is None or _chooses_dtype(call, args):
            return
        operands = _operands(row, args)
        nodes = [_node(each) for each in operands]
        known = [node for node in nodes if node is not None]
        if len(known) < len(nodes) or (row.operands != 0 and not known):
            return
        other = row.answer(known, self.SYSTEM)
        if other is None or other == result:
            return
        spelled = [_spelled(node) for node in known]
        spelled_operands = (
            f"{' and '.join(dict.fromkeys(spelled))} " if known and row.operands != 0 else "this "
        )
        several = len(set(spelled)) > 1
        form = {
            "operands": spelled_operands,
            "s": "" if several else "s",
            "dtype": result,
            "library": NAMES[self.SYSTEM],
        }
        if other == RAISES:
            yield RAISED.format(**form)
            return
        is_narrowed = not jax.config.values["jax_enable_x64"] and dtypes.canonical(other, False) == result
        remedy = WIDEN if is_narrowed else CONVERT.format(other=other)
        yield OTHER_DTYPE.format(**form, other=other, remedy=remedy)


class PortNumpy(Port):
    """Files that are ported from NumPy."""

    KIND = "port-numpy"
    SYSTEM = NUMPY


class PortTorch(Port):
    """Files that are ported from PyTorch."""

    KIND = "port-torch"
    SYSTEM = TORCH


@functools.cache
def _rows(system: str) -> Mapping[str, DtypeRow]:
    return {name: row for row in ROWS if system in row.systems for name in row.names.split()}


@functools.cache
def _behaviours(system: str) -> Mapping[str, Sequence[Behaviour]]:
    by_name: dict[str, list[Behaviour]] = {}
    for behaviour in BEHAVIOURS:
        if behaviour.system == system:
            is_whole = behaviour.names == IN_PLACE or behaviour.names.startswith(METHOD)
            names = [behaviour.names] if is_whole else behaviour.names.split()
            for name in names:
                by_name.setdefault(name, []).append(behaviour)
    return by_name


@functools.cache
def _functions() -> Mapping[int, tuple[Any, str]]:
    """The names of functions, by their identities."""
    rows = [name for row in ROWS for name in row.names.split()]
    names = {*rows, *(name for each in BEHAVIOURS for name in each.names.split())}
    by_identity = {identity(f): (f, name) for name, each in OPERATORS.items() for f in each}
    for name in sorted(names):
        owner: Any = {"linalg": jnp.linalg, "nn": jax.nn}.get(name.partition(".")[0], jnp)
        f = getattr(owner, name.rpartition(".")[2], None)
        if f is not None:
            by_identity[identity(f)] = (f, name)
    return by_identity


def _named(call: Call) -> tuple[str, Sequence[Any]]:
    """The name of what is called, with an array before its arguments if that is its method."""
    holder = holder_of(call.f)
    if arrays.is_array(holder):
        name = _method_name(type(holder), getattr(call.f, "__func__", None))
        return name, [holder, *call.args]
    known = _functions().get(identity(call.f))
    return known[1] if known is not None and known[0] is call.f else "", call.args


@functools.cache
def _methods(cls: type) -> Mapping[int, str]:
    names = [*_rows(NUMPY), *_rows(TORCH), *_behaviours(NUMPY), *_behaviours(TORCH)]
    plain = {name.removeprefix(METHOD) for name in names if "." not in name and name != IN_PLACE}
    methods = {name: getattr(cls, name, None) for name in sorted(plain)}
    return {identity(method): name for name, method in methods.items() if callable(method)}


def _method_name(cls: type, f: Any) -> str:
    return "" if f is None else _methods(cls).get(identity(f), "")


def _operands(row: DtypeRow, args: Sequence[Any]) -> Sequence[Any]:
    """The arguments that promote."""
    if row.operands == "items":
        return [*_items(args[0])] if args else []
    return args if row.operands == "all" else args[: int(row.operands)]


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _items(each)
    else:
        yield value


def _node(value: Any) -> str | None:
    """A number or an array as a promotion system has it; None for what it does not have, and for weak arrays of JAX."""
    scalar = dtypes.PYTHON_SCALARS.get(type(value))
    if scalar is not None:
        return scalar
    if isinstance(value, (np.ndarray, np.generic)):
        name, rank = value.dtype.name, value.ndim
    else:
        known = arrays.known_of(value)
        if known is None or known.weak is not False or known.dtype is None or known.shape is None:
            return None
        name, rank = known.dtype, len(known.shape)
    return None if name not in dtypes.DTYPES else name if rank else name + RANK_0


def _spelled(node: str) -> str:
    names = {"weak_int": "an int", "weak_float": "a float", "weak_complex": "a complex number"}
    return names.get(node) or (f"{node.removesuffix(RANK_0)}[]" if node.endswith(RANK_0) else node)


def _dtype(value: Any) -> str | None:
    known = arrays.known_of(value)
    return None if known is None else known.dtype


def _chooses_dtype(call: Call, args: Sequence[Any]) -> bool:
    """Whether a call says which dtype it is to give."""
    if any(call.kwargs.get(name) is not None for name in DTYPES):
        return True
    return any(isinstance(each, (type, np.dtype, str)) for each in args)


def _is_exact(value: Any) -> bool:
    node = _node(value)
    return node is not None and node != "bool" and dtypes.kind(node.removesuffix(RANK_0)) in "ui"


# When a behaviour differs.


def _is_of_indices(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    """Whether an array is indexed by an array of ints that are not known."""
    indices = args[1] if len(args) > 1 else None
    each = indices if isinstance(indices, tuple) else (indices,)
    ints = [index for index in each if arrays.is_array(index) and _is_exact(index)]
    return arrays.is_array(args[0] if args else None) and any(numbers.of(index) is None for index in ints)


def _is_shared(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    """Whether an array that is changed in place is a parameter, or another name's."""
    node = interpreter.node
    if not isinstance(node, ast.AugAssign) or not arrays.is_array(args[0] if args else None):
        return False
    if not isinstance(node.target, ast.Name):
        return False
    name, frame = node.target.id, interpreter.frames[-1]
    values = [*_assigned(frame.node, name)] if frame.node is not None else []
    if not values:
        return frame.function is not None and name in frame.bound
    return any(isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)) for value in values)


def _assigned(function: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a function assigns to a name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            yield node.value


def _is_of_ints(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    """Whether an int is divided by, or has the power of, an array of ints."""
    return len(args) == 2 and all(map(_is_exact, args)) and arrays.is_array(args[1])


def _is_to_small_ints(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    before, after = _dtype(args[0] if args else None), _dtype(call.result)
    is_float = before is not None and "float" in before
    return is_float and after in ("int8", "int16", "uint8", "uint16")


def _is_of_large_number(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    dtype = _dtype(call.result)
    if dtype is None or dtypes.kind(dtype) not in "ui" or len(args) != 2:
        return False
    bounds = jnp.iinfo(dtype)
    return any(type(each) is int and not bounds.min <= each <= bounds.max for each in args)


def _is_biased(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    names = ("ddof", "correction")
    return not any(name in call.kwargs for name in names) and not _is_exact(args[0] if args else None)


def _has_axis(interpreter: Interpreter, call: Call, args: Sequence[Any]) -> bool:
    return type(call.kwargs.get("axis", args[1] if len(args) > 1 else None)) is int


#: The conditions of behaviours.
CONDITIONS: Mapping[str, Callable[[Interpreter, Call, Sequence[Any]], bool]] = {
    "always": lambda interpreter, call, args: arrays.is_array(args[0] if args else None),
    "is of indices": _is_of_indices,
    "is shared": _is_shared,
    "is of ints": _is_of_ints,
    "is to small ints": _is_to_small_ints,
    "is of a large number": _is_of_large_number,
    "is of floats and biased": _is_biased,
    "has an axis": _has_axis,
    "has a count": lambda interpreter, call, args: len(args) > 1 and type(args[1]) is int,
    "is approximate": lambda interpreter, call, args: (
        call.kwargs.get("approximate") is None and len(args) < 2
    ),
}
