"""Loops of JAX of which a part is not known: JAX walks them with the rest, and is not shown what is not known.

What a loop carries is the leaves of a tree, and a tree may have None in place of one, which is no leaf to JAX. The body
gets the whole tree: what it makes of the leaves that JAX is not shown is noted, and what it makes of the others JAX sees.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax

from ....domain.arrays import TOP, AbstractArray
from ....sampling.tables.limits import MOST_LOOP_ROUNDS
from ...facts import Facts
from ...values import arrays
from ...values.conversions import as_array
from ...values.joins import join
from ...values.trees import mapped
from ...values.unknowns import UNKNOWN, ConcretizationError, Partial, is_dim, is_scalar, is_unknown
from ..calls.choices import as_arrays, changed
from ..calls.sizes import at
from .axes import row, stacked

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: What each loop calls the tree that it carries, and the functions that get it.
CARRIED = {
    "scan": ("init", ("f",)),
    "while_loop": ("init_val", ("cond_fun", "body_fun")),
    "fori_loop": ("init_val", ("body_fun",)),
}
#: What says how a loop is compiled, or in what order it runs.
OPTIONS = ("reverse", "unroll", "_split_transpose")


def _native(name: str) -> Callable[[Interpreter], Callable[..., Any]]:
    carried, functions = CARRIED[name]

    def make(interpreter: Interpreter) -> Callable[..., Any]:
        real = getattr(jax.lax, name)
        signature = inspect.signature(real)

        def loop(*args: Any, **kwargs: Any) -> Any:
            try:
                arguments = signature.bind(*args, **kwargs).arguments
            except TypeError as error:
                return interpreter.failed(error)
            inputs = [*args, *kwargs.values()]
            start = as_arrays(arguments[carried])
            if not arrays.holds_unknown(inputs):
                with contextlib.suppress(ConcretizationError):  # JAX looks at what the body gives
                    result = interpreter.of_library(real, list(args), kwargs)
                    return _of_unknown(name, start) if result is UNKNOWN else result
            if any(is_unknown(arguments[function]) for function in functions):
                interpreter.havoc(inputs)
                return _of_unknown(name, start)
            return _rounds(interpreter, name, real, arguments, start)

        return loop

    return make


FUNCTIONS = {f"jax.lax.{name}": _native(name) for name in CARRIED}


def _rounds(interpreter: Interpreter, name: str, real: Any, arguments: dict[str, Any], start: Any) -> Any:
    """Walk a loop until no more becomes known of what it starts with: JAX refuses bodies that change that."""
    interpreter.may_raise_epoch += 1
    result, seen = UNKNOWN, Facts()
    for _ in range(MOST_LOOP_ROUNDS):
        try:
            loop = Loop(interpreter, name, real, arguments, start)
        except Exception:  # code of registered classes may raise anything: then no more is known
            break
        seen = Facts()
        with contextlib.suppress(ConcretizationError), interpreter.seeing(seen):
            result = loop.run()
        if not loop.learn():
            break
        start = loop.tree(loop.leaves)
    interpreter.facts.merge(seen)
    return _of_unknown(name, start) if result is UNKNOWN else result


def _of_unknown(name: str, start: Any) -> Any:
    carried = like(start)
    return (carried, UNKNOWN) if name == "scan" else carried


def like(start: Any) -> Any:
    """What a loop carries that starts as `start`, whatever its body does.

    JAX refuses bodies that change dtypes or sizes, makes weak arrays of other dtypes where the body does, and strong ones weak.
    """

    def of_leaf(leaf: Any) -> Any:
        known = arrays.known_of(leaf)
        if known is None:
            return UNKNOWN
        if known.weak is not False:
            return arrays.of_known(known.with_dtype(None, None))
        return arrays.of_known(replace(known, weak=False if arrays.is_never_weak(known.dtype) else None))

    return mapped(of_leaf, start)


class Loop:
    """One walk of a loop.

    Args:
        real: JAX's function.
        arguments: those of the call by their names.
        start: the tree that it carries at first.

    Attributes:
        leaves: those of `start`.
        made: what the body makes of the leaves that JAX is not shown, by their places.
    """

    def __init__(
        self, interpreter: Interpreter, name: str, real: Any, arguments: dict[str, Any], start: Any
    ) -> None:
        self.interpreter, self.name, self.real, self.arguments = interpreter, name, real, arguments
        self.leaves, self._structure = _flatten(start)
        self.made: dict[int, Any] = {}
        self._lost: set[int] = set()  # the places of known leaves of which the body makes something unknown
        self._xs, self._structure_of_xs = _flatten(changed(arguments.get("xs"), as_array))
        self._lengths: list[Any] = []
        self._rows = [row(x, 0, self._lengths) if is_unknown(x) else x for x in self._xs]
        self._ys: Any = None  # what a step gives beside, in all walks of it
        self._shown_ys: list[bool] = []

    def tree(self, leaves: list[Any]) -> Any:
        return self._structure.unflatten(leaves)

    def run(self) -> Any:
        """What the loop gives, as far as that is known.

        Raises:
            NeedsValue: JAX cannot walk it.
        """
        passed = {name: value for name, value in self.arguments.items() if not _is_open_option(name, value)}
        carried, functions = CARRIED[self.name]
        bodies: dict[str, Callable[..., Any]] = {
            "scan": self._step,
            "fori_loop": self._turn,
            "while_loop": self._again,
        }
        for function in functions:
            passed[function] = _in_place_of(
                passed[function], self._holds if function == "cond_fun" else bodies[self.name]
            )
        passed[carried] = self.tree([None if is_unknown(leaf) else leaf for leaf in self.leaves])
        if self.name == "scan":
            shown = [None if is_unknown(x) else x for x in self._xs]
            passed["xs"] = self._structure_of_xs.unflatten(shown)
            # What a step gives has nothing to do with how many there are.
            passed["length"] = None if _leaves(shown) else 1
        for end in {"lower", "upper"} & passed.keys():
            passed[end] = 0 if is_unknown(passed[end]) else passed[end]
        result = self.interpreter.of_library(self.real, [], passed)
        if is_unknown(result):
            return UNKNOWN
        return (
            (self._carried(result[0]), self._collected(result[1]))
            if self.name == "scan"
            else self._carried(result)
        )

    def learn(self) -> bool:
        """Take what the walk tells of the leaves for what the loop starts with; whether that is anything new.

        Of an unknown leaf that is its sizes: its dtype may be another at first, which JAX then promotes, as it does with weak
        ones, of which the body makes something unknown.
        """
        before = list(self.leaves)
        for place in self._lost:
            known = arrays.known_of(self.leaves[place]) or TOP
            if known.weak:
                self.leaves[place] = arrays.of_known(known.with_dtype(None, None))
        for place, made in self.made.items():
            leaf = self.leaves[place]
            if not isinstance(made, Partial) or made.dims is None:
                continue
            if arrays.is_never_weak(made.dtype_name):
                self.leaves[place] = arrays.array(made.dtype_name, False, made.dims)
            elif not isinstance(leaf, Partial) or leaf.dims is None:
                dtype = leaf.dtype_name if isinstance(leaf, Partial) else None
                self.leaves[place] = arrays.array(dtype, None, made.dims)
        return any(leaf is not old for leaf, old in zip(self.leaves, before, strict=True))

    # What JAX calls.

    def _step(self, function: Any, carry: Any, x: Any) -> Any:
        shown = iter(_leaves(x))
        rows = [
            self._as_tried(leaf) if is_unknown(self._xs[i]) else next(shown)
            for i, leaf in enumerate(self._rows)
        ]
        result = self.interpreter.call(
            function, [self._whole(carry), self._structure_of_xs.unflatten(rows)], {}
        )
        new, y = result if isinstance(result, tuple) and len(result) == 2 else (UNKNOWN, UNKNOWN)
        leaves, structure = _flatten(changed(y, as_array))
        self._shown_ys = [not is_unknown(leaf) for leaf in leaves]
        noted = structure.unflatten(list(map(self._noted, leaves)))
        self._ys = noted if self._ys is None else join(self._ys, noted)
        return self._kept(new, carry), structure.unflatten(
            [None if is_unknown(leaf) else leaf for leaf in leaves]
        )

    def _turn(self, function: Any, i: Any, carry: Any) -> Any:
        if any(is_unknown(self.arguments.get(end)) for end in ("lower", "upper")):
            i = arrays.array(None, None, ())
        return self._kept(self.interpreter.call(function, [i, self._whole(carry)], {}), carry)

    def _again(self, function: Any, carry: Any) -> Any:
        return self._kept(self.interpreter.call(function, [self._whole(carry)], {}), carry)

    def _holds(self, function: Any, carry: Any) -> Any:
        holds = self.interpreter.call(function, [self._whole(carry)], {})
        return arrays.array("bool", False, ()) if is_unknown(holds) else holds

    def _whole(self, carry: Any) -> Any:
        """The tree that the body gets."""
        shown = iter(_leaves(carry))
        return self.tree([self._as_tried(leaf) if is_unknown(leaf) else next(shown) for leaf in self.leaves])

    def _kept(self, new: Any, carry: Any) -> Any:
        """What the body gives JAX to carry on; what it makes of the rest is noted."""
        new = changed(new, as_array)
        try:
            leaves = self._structure.flatten_up_to(new)  # an unknown leaf may be a tree
        except Exception:  # of another structure, or what the functions of registered classes raise
            if not any(is_unknown(leaf) for leaf in (*self.leaves, *_flatten(new)[0])):
                return new  # JAX says what is wrong
            leaves = [UNKNOWN] * len(self.leaves)
        shown = iter(_leaves(carry))
        kept: list[Any] = []
        for place, leaf in enumerate(leaves):
            if is_unknown(self.leaves[place]):
                noted = self._noted(leaf)
                self.made[place] = join(self.made[place], noted) if place in self.made else noted
                kept.append(None)
                continue
            before = next(shown)
            if is_unknown(leaf):
                self._lost.add(place)
            kept.append(before if is_unknown(leaf) else leaf)
        return self.tree(kept)

    # Its result.

    def _carried(self, result: Any) -> Any:
        shown = iter(_leaves(result))
        leaves = []
        for place, leaf in enumerate(self.leaves):
            final = self._final(place) if is_unknown(leaf) else next(shown)
            leaves.append(like(leaf) if place in self._lost else final)
        return self.tree(leaves)

    def _final(self, place: int) -> Any:
        """What a leaf is at the end that JAX was not shown: what the body makes of it, but for its weakness."""
        made = arrays.known_of(self.made.get(place)) or TOP
        start = like(self.leaves[place])
        if made.dtypes is None and made.shape is None:
            return start
        known = arrays.known_of(start) or TOP
        return arrays.of_known(
            AbstractArray(
                known.dtypes if made.dtypes is None else made.dtypes,
                False if made.weak is False else None,
                known.shape if made.shape is None else made.shape,
            )
        )

    def _collected(self, ys: Any) -> Any:
        """What all steps give beside."""
        if is_unknown(ys) or self._ys is None:
            return UNKNOWN
        leaves, structure = _flatten(self._ys)
        if len(leaves) != len(self._shown_ys):
            return UNKNOWN
        shown, length = iter(_leaves(ys)), self._length()
        real = [next(shown) if is_shown else UNKNOWN for is_shown in self._shown_ys]
        return structure.unflatten(
            [
                stacked(noted if is_unknown(leaf) else row(leaf, 0, []), length)
                for noted, leaf in zip(leaves, real, strict=True)
            ]
        )

    def _length(self) -> Any:
        """The number of steps."""
        length = self.arguments.get("length")
        if is_scalar(length):
            return arrays.size_of(length)
        if length is not None and not is_unknown(length):
            return length
        shown = [(arrays.known_of(x) or TOP).shape for x in self._xs if not is_unknown(x)]
        return next((dims[0] for dims in shown if dims), self._lengths[0] if self._lengths else None)

    def _as_tried(self, leaf: Any) -> Any:
        """A leaf that JAX is not shown, with numbers for its sizes where the loop is tried with such."""
        sample = self.interpreter.context.sample
        if not isinstance(leaf, Partial) or leaf.dims is None or sample is None:
            return leaf
        dims = tuple(at(dim, sample) if is_dim(dim) else dim for dim in leaf.dims)
        return Partial(replace(leaf.known, shape=dims))

    def _noted(self, leaf: Any) -> Any:
        """What is known of an array after the walk: numbers that are tried for sizes are none of its own."""
        known = arrays.known_of(leaf)
        if known is None:
            return UNKNOWN
        if self.interpreter.context.sample is not None and known.shape is not None:
            known = replace(known, shape=(None,) * len(known.shape))
        return Partial(known)


def _in_place_of(function: Any, body: Callable[..., Any]) -> Callable[..., Any]:
    """What JAX calls in place of `function`, which is known to be behind it."""

    def veiled(*args: Any) -> Any:
        return body(function, *args)

    veiled.__wrapped__ = function  # type: ignore[attr-defined]  # as `functools.wraps` does
    return veiled


def _is_open_option(name: str, value: Any) -> bool:
    return name in OPTIONS and is_unknown(value)


def _flatten(tree: Any) -> tuple[list[Any], Any]:
    leaves, structure = jax.tree.flatten(tree, is_leaf=is_unknown)
    return leaves, structure


def _leaves(tree: Any) -> list[Any]:
    leaves: list[Any] = jax.tree.leaves(tree)
    return leaves
