"""Calls with symbols for sizes that JAX cannot do with: what several numbers for them agree on."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....domain.arrays import TOP
from ....sampling.blame import needs_values
from ....sampling.calls import Budget, Values, abstract_call
from ....sampling.calls import Refused as NotAccepted
from ....sampling.calls import Trials as Tried
from ....sampling.errors import words_about_ranks
from ....sampling.proof import Evidence, Known, Proof, Rejected
from ....sampling.proof import Unknown as NoProof
from ....sampling.tables.limits import ENOUGH_SOURCES, MANY_STEPS, MOST_STEPS_IN_VAIN
from ...control import RaisedException
from ...facts import Facts
from ...language import tracer_errors
from ...values import arrays
from ...values.joins import join
from ...values.unknowns import UNKNOWN, ConcretizationError, is_dim
from .captured import DimSubstitution, symbols_seen
from .memo import key_of, remember, remembered
from .sizes import around, at, few_sizes_for, fitting, generalized, leaves, resized, sizes_for, symbols_in

if TYPE_CHECKING:
    from ...interpreter import Interpreter

ADDRESS = re.compile(r"\b0x[0-9a-f]+\b")


def with_sizes(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of known arrays some of whose sizes are symbols."""
    leaked = interpreter.returned_top
    called, with_holder = unbound(f, args)
    if interpreter.unseen.is_spent:
        return _untried(interpreter, called, with_holder, kwargs)
    try:
        with interpreter.unseen.counted():
            return sized(interpreter, called, with_holder, kwargs)
    except RaisedException as raised:
        told = tracer_errors.refused(interpreter, called, with_holder, kwargs, raised.value)
        sure = interpreter.returned_top == leaked and not told
        sure = sure and tracer_errors.stays(interpreter, called, with_holder, kwargs, raised.value)
        return interpreter.refused(f, [*args, *kwargs.values()], raised.value, sure)


def _untried(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call that JAX can do with symbols for sizes; it is unknown if not, for no numbers are tried."""
    seen = Facts()
    try:
        with interpreter.seeing(seen):
            return really(interpreter, f, args, kwargs)
    except (RaisedException, ConcretizationError):
        interpreter.may_raise_epoch += 1
        interpreter.escape([f, *args, *kwargs.values()])
        return UNKNOWN
    finally:
        interpreter.facts.merge(seen)


def sized(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call with symbols for sizes; where JAX cannot do with them, what some choices of sizes agree on.

    Raises:
        Raised, NeedsValue: none is accepted.
    """
    seen = Facts()
    try:
        with interpreter.seeing(seen):
            result = really(interpreter, f, args, kwargs)
    except (RaisedException, ConcretizationError) as problem:
        functions = [f, *args, *kwargs.values()]
        if (
            interpreter.context.try_depth
            and isinstance(problem, RaisedException)
            and _is_of_ranks(functions, problem.value)
        ):
            interpreter.facts.merge(seen)  # other arguments are tried instead
            raise
        symbols = list(dict.fromkeys([*symbols_in([args, kwargs]), *symbols_seen(interpreter, functions)]))
        key = ("sized", f, key_of([args, kwargs], symbols))
        known = remembered(interpreter, key, symbols) if symbols else None
        if known is not None:
            return known[0]
        answer = SizeTrials(interpreter, f, args, kwargs, symbols).answer() if symbols else None
        if not isinstance(answer, Known):
            interpreter.facts.merge(seen)
            raise
        remember(interpreter, key, answer.value, symbols)
        return answer.value
    interpreter.facts.merge(seen)
    return result


class SizeTrials:
    """Trials of one call with numbers for its unknown sizes. What the rejected ones have walked is forgotten."""

    def __init__(
        self, interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any], symbols: list[str]
    ) -> None:
        self.interpreter, self.f, self.arguments, self.symbols = interpreter, f, [args, kwargs], symbols
        self.possible = fitting(self.arguments)
        self.results: list[Any] = []
        self.taken: list[tuple[int, ...]] = []
        self.refused: list[BaseException] = []
        self.seen = Facts()

    def answer(self) -> Known | Rejected | NoProof:
        """What the accepted sizes have in common, which is what is known of the places that they came by, too."""
        values = Values(join, self._generalized, lambda _: False)
        return abstract_call(self._run, self._samples, self._evidence, values, Budget())

    def _samples(self, trials: Tried) -> Iterator[tuple[int, ...]]:
        """The sizes to try: fewer, if the first that are accepted show that a trial takes long."""
        steps, tried = self.interpreter.budget.steps, set[tuple[int, ...]]()
        for sizes in sizes_for(self.symbols, self.possible):
            yield sizes
            tried.add(sizes)
            if not trials.accepted and self._is_in_vain(steps):
                return
            if trials.accepted and self.interpreter.budget.steps - steps > MANY_STEPS * len(tried):
                few = few_sizes_for(self.symbols, self.possible)
                yield from (sizes for sizes in few if sizes not in tried)
                break
        if (
            0 < len(trials.accepted) < ENOUGH_SOURCES
        ):  # the only sizes there are, or the first that were tried
            yield from around(trials.accepted[0])

    def _evidence(self, trials: Tried) -> Evidence:
        self.taken = trials.accepted
        columns = list(zip(*self.taken, strict=True))
        return Evidence(len(self.taken), sizes=columns, expected=self.possible, is_searched=True)

    def _generalized(self, common: Any, proof: Proof) -> Any:
        self.seen.without(set(proof.unvaried))
        self.interpreter.facts.merge(self.seen)
        return self._followed(generalized(common, proof), self.results)

    def _followed(self, common: Any, results: Sequence[Any]) -> Any:
        """`common` with sizes of what is given, or their symbols, for those that were these in all trials."""
        if type(common) in (tuple, list) and all(
            type(each) is type(common) and len(each) == len(common) for each in results
        ):
            return type(common)(map(self._followed, common, zip(*results, strict=True)))
        known = arrays.known_of(common) or TOP
        dims = known.shape
        shapes = [getattr(each, "shape", None) for each in results]
        if not dims or any(shape is None or len(shape) != len(dims) for shape in shapes):
            return common
        sizes, stuck = zip(dims, zip(*shapes, strict=True), strict=True), self._stuck()
        shape = tuple(
            None if dim in stuck else dim if type(dim) is int else self._source(tried) for dim, tried in sizes
        )
        return arrays.of_known(replace(known, shape=shape))

    def _stuck(self) -> set[Any]:
        """What computed sizes of arguments were in all trials, as 0 of a slice, although nothing in the arguments says so."""
        computed = [size for size in self._sizes() if str(size) not in self.symbols]
        tried = [
            {at(size, dict(zip(self.symbols, sizes, strict=True))) for sizes in self.taken}
            for size in computed
        ]
        return {size for values in tried if len(values) == 1 for size in values} - {*self.possible}

    def _source(self, tried: Sequence[Any]) -> Any:
        """The one size that was `tried` in the trials; None if there is none, or several."""
        tables = [dict(zip(self.symbols, sizes, strict=True)) for sizes in self.taken]
        sources = [
            size
            for size in self._sizes()
            if all(at(size, table) == n for table, n in zip(tables, tried, strict=True))
        ]
        return sources[0] if len(sources) == 1 and len(set(tried)) >= ENOUGH_SOURCES else None

    def _sizes(self) -> list[Any]:
        """The symbols, and the sizes of the arrays that are given."""
        dims = [
            dim
            for leaf in leaves(self.arguments)
            if arrays.is_array(leaf)
            for dim in leaf.shape
            if is_dim(dim)
        ]
        return list({str(dim): dim for dim in (*map(arrays.symbol, self.symbols), *dims)}.values())

    def _is_in_vain(self, steps: int) -> bool:
        """Whether JAX refuses the call for another reason than its sizes: it says the same of two that have none in common.

        That is enough where arguments are made up, and others are tried instead; what is reported is tried in full.
        """
        if not self.interpreter.context.try_depth:
            return False
        if self.interpreter.budget.steps - steps > MOST_STEPS_IN_VAIN:
            return True
        if len(self.refused) != 2:
            return False
        first, second = self.refused
        return type(first) is type(second) and (
            is_about_values(first) or without_addresses(first) == without_addresses(second)
        )

    def _run(self, sizes: tuple[int, ...]) -> Any:
        interpreter, seen = self.interpreter, Facts()
        sample = DimSubstitution(zip(self.symbols, sizes, strict=True))
        try:
            with interpreter.within(sample=sample), interpreter.seeing(seen):
                result = really(interpreter, self.f, *resized(self.arguments, sample))
        except (RaisedException, ConcretizationError) as refused:
            self.refused.append(refused.value if isinstance(refused, RaisedException) else refused)
            raise NotAccepted from None
        self.seen.merge(seen)
        self.results.append(result)
        return result


def _is_of_ranks(functions: Sequence[Any], error: BaseException) -> bool:
    """Whether JAX refuses a call for its ranks, which no sizes make right; the program's functions may ask for sizes first."""
    f, *arguments = functions
    is_of_jax = str(getattr(f, "__module__", "")).startswith("jax.") and not any(map(callable, arguments))
    return is_of_jax and words_about_ranks(str(error)) is not None


def is_about_values(error: BaseException) -> bool:
    """Whether JAX or we refuse to go on without a number in an array, which no size gives."""
    return isinstance(error, ConcretizationError) or needs_values(error)


def without_addresses(error: BaseException) -> str:
    """What an error says, but for where objects are in memory."""
    return ADDRESS.sub("", str(error))


def really(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call for what it gives, or an exception."""
    interpreter.budget.sample()
    try:
        return f(*args, **kwargs)
    except (RaisedException, ConcretizationError):
        raise
    except Exception as error:  # what real code raises is what the program would meet
        raise RaisedException(error) from None


def unbound(f: Any, args: list[Any]) -> tuple[Any, list[Any]]:
    """A call of an array's method with the array among the arguments, for its sizes may be unknown as well."""
    is_method = isinstance(f, types.MethodType) and arrays.is_array(f.__self__)
    return (f.__func__, [f.__self__, *args]) if is_method else (f, args)
