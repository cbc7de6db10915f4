"""Where ``jax.tree.map`` has promoted arrays of the layer: by JAX's rules, whatever system is in force.

To ``jax.tree`` an array of the layer is a node around one of JAX, so that a function of several trees computes with arrays
of JAX. That shows in one place: when the node is made again around a result. There the leaves are looked at, and where
JAX's rules and the system in force make two dtypes of them, and the result has JAX's, it is a warning.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
import weakref
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import jax

from jaxtyping_core import dtypes
from jaxtyping_core.errors import PromotionError, PromotionWarning
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _operands
from jaxtyping_core.promotion import join, resolve

System = str | Lattice
#: By the dtype that JAX's rules make of leaves: that of the system in force, None where it refuses, and the leaves' own.
Verdict = dict[str, tuple[str | None, tuple[str, ...]]]

#: The functions of JAX that make nodes of what a function of leaves has returned.
_MAPS = ("tree_map", "tree_map_with_path")
_OF_TREES = frozenset((jax.tree_util.tree_map.__module__, "jax._src.tree_util"))
#: The module of a function that calls: a tenth of the time that its frame takes.
_caller: Callable[[int], str | None] = getattr(
    sys, "_getframemodulename", lambda depth: sys._getframe(depth + 1).f_globals.get("__name__")
)
_OF_JAX = os.path.dirname(jax.__file__) + os.sep  # noqa: PTH120  # a prefix of what frames say


def notice(value: Any) -> None:
    """Warns if it is such a map that makes an array around `value` again, and has given it another dtype than the system.

    It is called where JAX makes an array of the layer.
    """
    if _caller(2) not in _OF_TREES or (frame := sys._getframe(2)).f_code.co_name not in _MAPS:
        return
    system = _context.current()
    leaves = frame.f_locals.get("all_leaves") or frame.f_locals.get("all_keypath_leaves", ())[1:]
    if len(leaves) < 2:
        return
    verdict = _verdicts.of(leaves, system)
    if verdict and (dtype := str(getattr(value, "dtype", None))) in verdict:
        warnings.warn(
            _message(dtype, *verdict[dtype], system), PromotionWarning, stacklevel=_level(frame) + 3
        )


def _message(dtype: str, ours: str | None, leaves: tuple[str, ...], system: System) -> str:
    said = f"makes {ours!r}" if ours is not None else "refuses them"
    return (
        f"jax.tree.map produced {dtype!r} from {' and '.join(map(repr, leaves))}, by JAX's rules; promotion system "
        f"{system!r} {said}. Use jaxtyping_core.numpy.tree.map, whose leaves are arrays of the layer."
    )


def _level(frame: FrameType) -> int:
    """How many frames from `frame` on are JAX's own."""
    level, at = 1, frame.f_back
    while at is not None and at.f_code.co_filename.startswith(_OF_JAX):
        level, at = level + 1, at.f_back
    return level


class _Verdicts:
    """The last verdict: it is asked for once for every leaf of a map, and holds for all of them."""

    def __init__(self) -> None:
        self._known: tuple[list[weakref.ref[Any]], tuple[Any, ...], Verdict] = [], (), {}

    def of(self, leaves: Sequence[Sequence[Any]], system: System) -> Verdict:
        """What is wrong with the leaves of several trees, one sequence for each tree."""
        references, beside, verdict = self._known  # at once: other threads have maps as well
        firsts, now = [each[0] for each in leaves], (len(leaves[0]), system, jax.config.jax_enable_x64)
        if (
            now != beside
            or len(firsts) != len(references)
            or any(reference() is not first for reference, first in zip(references, firsts, strict=True))
        ):
            verdict = _verdict(leaves, system, jax.config.jax_enable_x64)
            with contextlib.suppress(TypeError):  # a leaf that is a number
                self._known = [weakref.ref(first) for first in firsts], now, verdict
        return verdict


_verdicts = _Verdicts()


def _verdict(leaves: Sequence[Sequence[Any]], system: System, x64: bool) -> Verdict:
    verdict: Verdict = {}
    for nodes in {tuple(map(_node, each)) for each in zip(*leaves, strict=False)}:
        if "" in nodes or len(set(nodes)) < 2:
            continue
        theirs, ours = _joined(nodes, "jax", x64), _joined(nodes, system, x64)
        if theirs is not None and theirs != ours:
            verdict[theirs] = ours, nodes
    return verdict


def _node(leaf: Any) -> str:
    """The node of a leaf in a lattice; nothing if it is no array."""
    try:
        return _operands.node(_operands.key(leaf, False))
    except TypeError:
        return ""


def _joined(nodes: tuple[str, ...], system: System, x64: bool) -> str | None:
    try:
        return dtypes.canonical(resolve(join(*nodes, system=system, x64=x64), x64), x64)
    except PromotionError:
        return None
