"""Abstract calls: samples of the arguments are tried, and what the accepted ones have in common is generalized."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .proof import Evidence, Known, Proof, Rejected, Unknown, proven

#: The last sample of those that are not all there are: the others are never tried.
AND_OTHERS = object()


class Budget(NamedTuple):
    """When no more samples are tried.

    Attributes:
        samples: after so many.
        alike: after so many that are all refused in the same words.
        is_spent: tells whether it took too long; the argument says whether a sample is accepted.
    """

    samples: int | None = None
    alike: int | None = None
    is_spent: Callable[[bool], bool] = lambda accepted: False


class Refused(Exception):
    """A sample is refused; the message has the words."""


class Values(NamedTuple):
    """How results are put together.

    Attributes:
        join: what two have in common.
        generalize: what of a common result a proof leaves.
        is_top: whether nothing is known of a result.
    """

    join: Callable[[Any, Any], Any]
    generalize: Callable[[Any, Proof], Any]
    is_top: Callable[[Any], bool]


@dataclass(slots=True)
class Trials:
    """The samples of a call that were tried so far.

    Attributes:
        tried: how many there are.
        accepted: the accepted ones.
        common: what they have in common, if there are any.
        words: those of the refused ones.
    """

    tried: int = 0
    accepted: list[Any] = field(default_factory=list)
    common: Any = None
    words: set[str] = field(default_factory=set)


def abstract_call(
    run: Callable[[Any], Any],
    samples: Callable[[Trials], Iterable[Any]],
    evidence: Callable[[Trials], Evidence],
    values: Values,
    budget: Budget,
    early: Callable[[Trials], Any] = lambda trials: None,
) -> Known | Rejected | Unknown:
    """What a call returns for all arguments that its samples stand for.

    Args:
        run: calls the function with a sample; it raises `Refused`.
        samples: the samples to try, after what was tried so far; `AND_OTHERS` where there are more than these.
        evidence: what the accepted samples differed in.
        values: how results are put together.
        budget: when no more samples are tried.
        early: the result if further samples could not change it, else None.
    """
    trials = Trials()
    for sample in samples(trials):
        if sample is AND_OTHERS or trials.tried == budget.samples or budget.is_spent(bool(trials.accepted)):
            return Unknown("there are more samples than are tried")
        trials.tried += 1
        try:
            result = run(sample)
        except Refused as refused:
            trials.words.add(str(refused))
            if trials.tried == budget.alike and len(trials.words) == 1 and not trials.accepted:
                return Rejected(str(refused), for_all=False)
            continue
        trials.common = values.join(trials.common, result) if trials.accepted else result
        trials.accepted.append(sample)
        if values.is_top(trials.common):
            return Unknown("it depends on what is not known")
        settled = early(trials)
        if settled is not None:
            return Known(settled)
    if not trials.accepted:
        return Rejected(" ".join(trials.words), for_all=False)
    proof = proven(evidence(trials))
    return proof if isinstance(proof, Unknown) else Known(values.generalize(trials.common, proof))


def diverse_first(*lists: Sequence[Any]) -> tuple[list[tuple[Any, ...]], Iterator[tuple[Any, ...]]]:
    """All combinations of an item of each list: first a few in which every item is, then the others.

    What is not known of a result shows early if the first samples differ in everything.
    """
    number = max(map(len, lists))
    few = list(dict.fromkeys(tuple(values[i % len(values)] for values in lists) for i in range(number)))
    seen = set(few)
    return few, (each for each in itertools.product(*lists) if each not in seen)
