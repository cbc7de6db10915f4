"""What is known of a function after its calls."""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from jaxtyping_core.contracts.forms import Object, Unknown, inside
from jaxtyping_core.contracts.reading import FUNCTION, is_certain, is_open, names_in
from jaxtyping_core.contracts.verdicts import Violated
from jaxtyping_core.sampling.tables.limits import (
    FEW_DRAWS,
    FEWEST_CONFIRMED,
    FEWEST_SOLVED,
    LARGEST_READ,
    MOST_DECLARED_CHOICES,
    MOST_HINTED,
    MOST_MADE_UP,
    MOST_READ,
    MOST_SLOW,
)
from jaxtyping_core.sampling.tables.sizes import SMALL_DECLARED

from . import solving
from .choices import Choices
from .evaluating import whole_tracebacks, with_sizes, with_symbols
from .limits import Clock
from .outcomes import Kind, Outcome
from .sizes import Draw, confirming, distinct, growing, special, without_small
from .subjects import Subject

#: Seconds for one function.
FUNCTION_LIMIT = 20.0


class Answer(enum.Enum):
    """What is known: for all sizes, for those that were tried, or nothing; or that it is wrong."""

    PROVEN = "proven"
    TESTED = "tested"
    NOT_CHECKED = "not checked"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a function, and why it is no more than that."""

    subject: Subject
    answer: Answer
    reason: str = ""
    code: str = "array-shape"
    line: int | None = None


class Over(Exception):
    """The time for a function is over."""


@dataclass
class Look:
    """What came of the calls with one choice of all that is made up."""

    proven: bool = True
    agreed: int = 0
    #: What came of calls with different sizes above 1, and of others.
    of_distinct: list[Outcome] = field(default_factory=list)
    others: list[Outcome] = field(default_factory=list)
    wrong: Outcome | None = None
    right: Outcome | None = None
    choices: Choices | None = None
    #: Whether the sizes were found for which it is wrong; smaller ones may be accepted by chance.
    is_solved: bool = False
    #: Choices of dtype and number of axes under which JAX refuses all different sizes.
    refused: Outcome | None = None
    refusing: Choices | None = None
    unproven: str = ""

    @property
    def outcomes(self) -> list[Outcome]:
        return [*self.of_distinct, *self.others]


class Verification:
    """The calls of one function.

    What these show is no question of `sampling.proof`: JAX itself runs the function, so its symbols prove, and a difference is
    one. What is asked here is whether arguments that were made up are to blame.
    """

    def __init__(self, subject: Subject, limit: float = FUNCTION_LIMIT) -> None:
        self.subject = subject
        self._clock = Clock(limit)
        self._slow = 0
        self._alternatives = 1
        self._made_up = subject.is_passed
        self.looks: list[Look] = []
        forms = [parameter.form for parameter in subject.signature.parameters if not parameter.has_default]
        forms += [subject.owner] if subject.owner else []
        self._certain = all(map(is_certain, forms)) and not subject.is_passed
        #: Whether names of sizes come from a class: its objects may be for any, and the function for those alone that fit.
        self._borrows = any(
            isinstance(part, Object) and names_in(part) for form in forms for part in inside(form)
        )
        self._open = any(map(is_open, forms))

    def verdict(self) -> Verdict:
        """What is known of the function."""
        if self.subject.problem is not None:
            return Verdict(self.subject, Answer.NOT_CHECKED, self.subject.problem)
        with whole_tracebacks():
            return self._verdict()

    def _verdict(self) -> Verdict:
        over = ""
        try:
            for number in range(MOST_MADE_UP):
                if number >= self._alternatives:
                    break
                self.looks.append(Look())
                self._look(self.looks[-1], number)
                right = self.looks[-1].agreed and self.looks[-1].wrong is None
                if right and (number + 1 >= FEWEST_CONFIRMED or not self.looks[-1].proven):
                    break
            contradiction = self._difference() or self._refusal()
            if contradiction is not None:
                return contradiction
        except Over as error:
            over = str(error)
        return self._uncontradicted(over)

    def _look(self, look: Look, number: int) -> None:
        for picked in self._picks(number):
            choices = Choices(picked, number)
            look.choices = choices
            outcome = self._called(choices, None)
            self._made_up |= choices.alternatives > 1
            self._discover(choices)
            proven = outcome.kind is Kind.AGREES and not outcome.compared
            if not proven:
                look.proven = False
                look.unproven = look.unproven or _unproven(outcome)
            # Ints that are symbols above are numbers here, and no sizes.
            count = len(self._called(choices, ()).names)
            of_distinct: list[Outcome] = []
            draws = _draws(count, proven, bool(picked), self.subject.signature.fixed)
            for draw, different in itertools.chain(draws, _after_refusals(of_distinct)):
                drawn = self._called(choices, draw)
                self._discover(choices)
                (of_distinct if different else look.others).append(drawn)
                if drawn.kind is Kind.AGREES:
                    look.agreed += 1
                    look.right = look.right or drawn
                else:
                    look.proven = False
                    look.unproven = look.unproven or drawn.message
                if drawn.kind is Kind.DIFFERS and self._is_believed(choices, of_distinct, drawn):
                    look.wrong = drawn
                    return
                if drawn.kind is Kind.NOT_MADE:
                    break
            look.of_distinct += of_distinct
            kinds = {outcome.kind for outcome in of_distinct}
            if self.subject.is_passed and Kind.DIFFERS in kinds and Kind.AGREES not in kinds:
                look.agreed = 0  # for 1 and for equal sizes alone
            refused = of_distinct and all(outcome.kind is Kind.REFUSED for outcome in of_distinct)
            if refused and look.refused is None and picked.keys() <= {"rank"}:
                look.refused, look.refusing = of_distinct[0], choices
            if refused and self._solve(look, choices, of_distinct[:FEWEST_SOLVED]):
                return

    def _solve(self, look: Look, choices: Choices, refused: list[Outcome]) -> bool:
        """Look at sizes that are accepted with as few equal ones as JAX asks for; whether these show a difference."""

        def call(draw: Draw) -> Outcome:
            return self._called(choices, draw)

        outcomes = [solving.solved(call, each) for each in refused]
        agreed = [outcome for outcome in outcomes if outcome.kind is Kind.AGREES]
        look.agreed += len(agreed)
        look.right = next(iter(agreed), look.right)
        codes = [outcome.violation.code for outcome in outcomes if outcome.violation is not None]
        # A shape may be another one for numbers of axes that the function is not meant for; a class tells them.
        told = {"array-dtype"} | ({"array-shape"} if self._borrows and not choices.without_dims else set())
        differ = len(codes) == FEWEST_SOLVED and told.issuperset(codes)
        if differ and self._is_known(choices) and not solving.may_agree(call, outcomes[0]):
            look.wrong, look.choices, look.is_solved = outcomes[0], choices, True
        return look.is_solved

    def _is_known(self, choices: Choices) -> bool:
        """Whether what is made up is of a kind that the function takes: one that is passed may be for some sizes alone."""
        return not (choices.keys and self._open) and not self.subject.is_passed

    def _is_believed(self, choices: Choices, of_distinct: list[Outcome], drawn: Outcome) -> bool:
        """Whether a difference counts: what is made up may work for some equal sizes by chance, and JAX broadcasts what is 1."""
        if not self._is_known(choices):
            return False
        kinds = {outcome.kind for outcome in of_distinct}
        if Kind.AGREES in kinds and Kind.DIFFERS not in kinds and set(SMALL_DECLARED) & set(drawn.sizes):
            others = [self._called(choices, draw).kind for draw in without_small(drawn.sizes)]
            return any(kind is not Kind.REFUSED for kind in others)
        by_chance = self._borrows and set(SMALL_DECLARED) & set(drawn.sizes)
        return bool(kinds & {Kind.AGREES, Kind.DIFFERS}) or (self._certain and not by_chance)

    def _picks(self, number: int) -> Iterator[dict[str, int]]:
        """The choices that annotations leave, fewest changes first; more of them are found while they are tried."""
        self._waiting: list[dict[str, int]] = [{}]
        self._known: set[frozenset[tuple[str, int]]] = {frozenset()}
        for _ in range(MOST_DECLARED_CHOICES):
            if not self._waiting:
                return
            self._picked = self._waiting.pop(0)
            yield self._picked

    def _discover(self, choices: Choices) -> None:
        self._alternatives = max(self._alternatives, choices.alternatives)
        for point, count in choices.points.items():
            if point in self._picked:
                continue
            for other in range(1, count):
                picked = self._picked | {point: other}
                if frozenset(picked.items()) not in self._known:
                    self._known.add(frozenset(picked.items()))
                    self._waiting.append(picked)

    def _called(self, choices: Choices, draw: Draw | None) -> Outcome:
        if self._clock.is_over():
            raise Over("the time limit was reached before all sizes were tried")
        outcome = (
            with_symbols(self.subject, choices) if draw is None else with_sizes(self.subject, choices, draw)
        )
        if outcome.kind is Kind.SLOW and draw is not None:
            self._slow += 1
            if self._slow >= MOST_SLOW:
                raise Over(outcome.message)
        return outcome

    def _difference(self) -> Verdict | None:
        """The contradiction, where every choice of what is made up that the program takes shows one; not of shapes, where not all were tried."""
        working = [look for look in self.looks if look.agreed or look.wrong]
        if not working or not all(look.wrong for look in working):
            return None
        look = working[0]
        assert look.wrong is not None and look.choices is not None
        smallest = look.wrong if look.is_solved else self._smallest(look.choices, look.wrong, Kind.DIFFERS)
        assert smallest.violation is not None
        if smallest.violation.code == "array-shape" and len(look.choices.without_dims) > 1:
            return None  # they may be meant to have different numbers of axes, as a vector and a matrix
        message = contradicted(self.subject, smallest.violation, smallest.arguments)
        if look.right is not None and look.right.arguments:
            message += f"; the result is as declared for {look.right.arguments}"
        return Verdict(self.subject, Answer.CONTRADICTED, message, smallest.violation.code)

    def _refusal(self) -> Verdict | None:
        """What JAX refuses for all sizes, where nothing is made up."""
        if self._alternatives > 1 or not self._certain or not self.looks:
            return None
        look = self.looks[0]
        if look.refused is None or look.refusing is None:
            return None
        if self._borrows and look.agreed:
            return None
        if self._is_accepted_somewhere(look.refusing, look.refused):
            return None
        smallest = self._smallest(look.refusing, look.refused, Kind.REFUSED)
        message = _refused(self.subject, smallest)
        return Verdict(self.subject, Answer.CONTRADICTED, message, line=smallest.line)

    def _is_accepted_somewhere(self, choices: Choices, refused: Outcome) -> bool:
        """Whether other different sizes are accepted, numbers of JAX's message among them."""
        count = len(refused.names)
        hinted = _hinted(refused)
        special = self.subject.signature.fixed | {1}
        small = (draw for draw in growing(count) if len(set(draw)) == count)
        for draw in [*hinted, *small]:
            if not special & set(draw) and self._called(choices, draw).kind is not Kind.REFUSED:
                return True
        return False

    def _smallest(self, choices: Choices, shown: Outcome, kind: Kind) -> Outcome:
        """The same with the smallest sizes that show it."""
        total = sum(shown.sizes)
        for draw in growing(len(shown.names)):
            if sum(draw) >= total or self._clock.is_over():
                break
            outcome = with_sizes(self.subject, choices, draw)
            if outcome.kind is kind:
                return outcome
        return shown

    def _uncontradicted(self, over: str) -> Verdict:
        agreed = [look for look in self.looks if look.agreed and not look.wrong]
        if agreed:
            parts = inside(self.subject.signature.returned)
            if any(isinstance(part, Unknown) and part.reason == FUNCTION for part in parts):
                return Verdict(self.subject, Answer.TESTED, "the function that it returns was not called")
            if self.subject.yields:
                over = over or "only the first item that it yields was checked"
            if len(agreed) < len(self.looks):
                over = over or self._of_others()
            if all(look.proven for look in agreed) and not over and not self._made_up:
                return Verdict(self.subject, Answer.PROVEN)
            reason = (
                over
                or agreed[0].unproven
                or "some of its arguments are made up: ints, trees, functions or objects"
            )
            return Verdict(self.subject, Answer.TESTED, reason)
        messages = [outcome.message for look in self.looks for outcome in look.outcomes if outcome.message]
        return Verdict(
            self.subject, Answer.NOT_CHECKED, over or next(iter(messages), "no call of it returned")
        )

    def _of_others(self) -> str:
        """What is told of choices of what is made up that do not do, where others do."""
        wrong = next((look.wrong for look in self.looks if look.wrong), None)
        if wrong is None or wrong.violation is None:
            return "it does not accept all of the made-up arguments"
        return f"for some made-up arguments, {contradicted(self.subject, wrong.violation, wrong.arguments)}"


def _draws(count: int, proven: bool, brief: bool, fixed: frozenset[int]) -> Iterator[tuple[Draw, bool]]:
    if not count:
        yield (), True
        return
    if proven:
        for draw in confirming(count):
            yield draw, len(set(draw)) == count and 1 not in draw
        return
    all_distinct = [draw for draw in distinct(count) if not fixed & set(draw)] or distinct(count)
    for draw in all_distinct[:FEW_DRAWS] if brief else all_distinct:
        yield draw, True
    for draw in special(count)[:FEW_DRAWS] if brief else special(count):
        yield draw, False


def _after_refusals(of_distinct: Sequence[Outcome]) -> Iterator[tuple[Draw, bool]]:
    """Where all different sizes were refused: with a size that JAX's message names, as that of a constant of the program."""
    if of_distinct and all(outcome.kind is Kind.REFUSED for outcome in of_distinct):
        hinted = next(filter(None, map(_hinted, of_distinct)), [])
        for draw in hinted[:MOST_HINTED]:
            yield draw, len(set(draw)) == len(draw) and 1 not in draw


def _hinted(refused: Outcome) -> list[Draw]:
    """The sizes of a call that JAX refused, with one of them a number of its message."""
    sizes = refused.sizes
    numbers = _numbers(refused.message, sizes)
    return [
        (*sizes[:place], number, *sizes[place + 1 :]) for number in numbers for place in range(len(sizes))
    ]


def _numbers(message: str, sizes: Draw) -> list[int]:
    """The numbers in a message that are none of the sizes, and the products of two of them: a size may be one of these."""
    numbers = [int(number) for number in re.findall(r"\d+", message)[:MOST_READ]]
    new = list(
        dict.fromkeys(number for number in numbers if number not in sizes and 0 < number <= LARGEST_READ)
    )
    return [*new, *(a * b for a in new for b in new if a < b and a * b <= LARGEST_READ)][:MOST_READ]


def _unproven(outcome: Outcome) -> str:
    if outcome.compared:
        return "it compares sizes"
    if outcome.kind is Kind.DIFFERS:
        return "the declared sizes could not be proven for all numbers"
    return f"symbolic sizes do not work ({outcome.message})"


def contradicted(subject: Subject, violation: Violated, called: str) -> str:
    """What a function returns in place of what it declares; `called` are the arguments and where they come from, if any."""
    place = f" in result{violation.path}" if violation.path else ""
    is_new = violation.here and violation.here not in violation.expected
    here = f", here {violation.here}" if is_new else ""
    arguments = f" for {called}" if called else ""
    returned = f"{violation.actual}{place}{arguments}"
    return f'"{subject.name}" returns {returned}; expected {violation.expected}{here}'


def _refused(subject: Subject, outcome: Outcome) -> str:
    return f'JAX refuses "{subject.name}" for {outcome.arguments}: {outcome.message}'
