"""Buffers that are donated to a jitted function, whose result may take their memory: the program cannot use them again.

JAX deletes a donated array if the compiled function can use its memory: if it reads the array, and gives one of the same
dtype and shape. The source of the rule is JAX's page "Buffer donation", and what it was seen to do.
"""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax

from ....identity import identity
from ...origins import origin
from ...values import arrays, traces

if TYPE_CHECKING:
    from ...interpreter import Interpreter
    from .transformations import Made

OPTIONS = ("donate_argnums", "donate_argnames")


@dataclass
class Donated:
    """An array that a call has taken the memory of, and where the call is."""

    array: Any
    function: str
    file: str
    line: int


def used(interpreter: Interpreter, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Report that a call is given an array that was donated to an earlier one."""
    if not interpreter.donated:
        return
    for leaf in _leaves([args, kwargs]):
        donated = interpreter.donated.get(identity(leaf))
        if donated is not None:
            interpreter.refuse(
                "donated",
                f"{arrays.spelled_array(leaf)} was donated to {donated.function}, which deleted it;"
                " use the result of that call, or do not donate it",
                once=True,
                told=[origin(donated.file, donated.line, "the array", "donated")],
            )
            return


def donate(
    interpreter: Interpreter, made: Made, args: list[Any], kwargs: dict[str, Any], result: Any
) -> None:
    """Note which arrays a call of a jitted function deletes; in a function that is traced, it deletes none."""
    if not any(made.options.get(option) not in (None, ()) for option in OPTIONS):
        return
    if (
        traces.current() is not interpreter.traces.base
        or not interpreter.context.is_certain
        or interpreter.context.try_depth
    ):
        return
    name = getattr(made.function, "__name__", "the function")
    file, line = interpreter.frame.scope.module.path, getattr(interpreter.node, "lineno", 0)
    for leaf in _deleted(made, args, kwargs, result):
        if not arrays.is_shared(leaf):
            interpreter.donated[identity(leaf)] = Donated(leaf, name, file, line)


def _deleted(made: Made, args: list[Any], kwargs: dict[str, Any], result: Any) -> list[Any]:
    """The arrays whose memory the results can take."""
    try:
        traced = made.value.trace(*args, **kwargs)
        infos = jax.tree.leaves(traced.args_info)
        jaxpr = traced.jaxpr.jaxpr
    except Exception:  # of another kind of jitted function, or what code of registered classes raises
        return []
    leaves = _leaves([args, kwargs])
    if (
        not len(leaves) == len(infos) == len(jaxpr.invars)
    ):  # static arguments, or constants of a library's own transformation
        return []
    read = {identity(variable) for equation in jaxpr.eqns for variable in equation.invars}
    read |= {identity(variable) for variable in jaxpr.outvars}
    donated = [
        leaf
        for leaf, info, variable in zip(leaves, infos, jaxpr.invars, strict=True)
        if info.donated and identity(variable) in read
    ]
    room = collections.Counter(map(_kind, _leaves(result)))
    kinds = collections.Counter(map(_kind, donated))
    return [leaf for leaf in donated if room[_kind(leaf)] >= kinds[_kind(leaf)]]


def _kind(leaf: Any) -> Any:
    return (str(leaf.dtype), tuple(map(str, leaf.shape))) if arrays.is_array(leaf) else None


def _leaves(value: Any) -> list[Any]:
    try:
        return list(jax.tree.leaves(value))
    except Exception:  # code of registered classes may raise anything: then no more is known
        return []
