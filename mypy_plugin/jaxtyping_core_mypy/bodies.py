"""Follows the bodies of functions whose annotations tell the dims of arrays, and compares what they return with what they declare.

mypy's types tell much of a body, and lose what goes through closures, loops and several dims at once (``*batch``). So each
body is also walked with arrays of some sizes. A result that is not as declared shows a mistake, whatever else the function
may be called with; one that is not known, and a body that refuses these sizes, show nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import Context, FuncDef, ReturnStmt

from jaxtyping_core.domain.values import Array, Static, Value
from jaxtyping_core.sampling.proof import Shown, disproven, is_settled
from jaxtyping_core.sampling.tables.limits import MOST_LOST, MOST_LOST_OF_VALUES
from jaxtyping_core.sampling.tables.sizes import BODY_SAMPLES
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert.dim_strings import Texts, asserts_sizes, special_cases
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.convert.examples import signature_of
from jaxtyping_core_mypy.convert.overriding import Overriding
from jaxtyping_core_mypy.respelling import respelled
from jaxtyping_core_mypy.retraction import hold_back, take_back
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.spelling import describe
from jaxtyping_core_mypy.trees import statements_inside
from jaxtyping_core_mypy.uncertain import follows, is_uncertain
from jaxtyping_core_mypy.walks import CODES, Walk, Walker

#: What JAX says of two sizes that must be equal; other refusals may be of sizes that a body divides.
MISMATCH = re.compile("contracting dimensions|ncompatible shapes|inconsistent size")
#: What mypy adds to an error of an operator, for a union.
OF_OPERANDS = re.compile(r"(?:Left|Right) operand is of type |Both left and right operands are unions")
PLACE = re.compile(r"in (?P<name>\w+) \([^()]*:(?P<line>\d+)\): (?P<reason>.*)", re.DOTALL)


class Bodies:
    """The functions of the modules that mypy checks, each of which is looked at when mypy comes to it.

    Args:
        texts: what annotations say.
    """

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._current: FuncDef | None = None
        #: The first place in the function at hand: whoever comes to it again may have forgotten what was said.
        self._first: object = None
        #: What was found of each function that declares arrays: "verified", "open" or "wrong".
        self.outcomes: dict[str, str] = {}
        #: The lines with returns of which mypy is not to say anything, each with its file.
        self._unsaid: set[tuple[str, int]] = set()
        self._withheld: set[tuple[str, int]] = set()
        #: The lines with what JAX refuses in walks, in the same way, each with the message.
        self._refused: dict[tuple[str, int], str] = {}
        self._errors: Any = None
        self._api: Any = None
        self._overriding = Overriding()
        self._has_texts = False
        self._equal = EqualDims()
        # One object, which can be found again.
        self._is_wrong: Callable[[str, ErrorInfo], bool] = self._is_not_said

    def look(self, site: Site) -> None:
        """Look at the body of the function that the place of a hook is in, if mypy has just come to it."""
        self._api, self._errors = site.api, site.api.errors
        self._has_texts = site.facts.imports_jaxtyping
        self._equal = site.facts.equal_dims
        hold_back(self._errors, self._is_wrong)
        function, place = site.api.scope.top_level_function(), site.ctx.context
        if function is self._current and place is not self._first:
            return
        self._current, self._first = function, place
        if not isinstance(function, FuncDef):
            return
        signature = signature_of(function, self._texts.signature(function))
        if signature is None or not site.facts.programs or asserts_sizes(function):
            return
        self._unsaid |= {(site.api.errors.file, line) for line in special_cases(function)}
        walker = Walker(site, function, signature, self._texts)
        walks: list[Walk] = []
        for draw in BODY_SAMPLES:
            walks.append(walker.walk(draw))
            if is_settled(map(_shown, walks), MOST_LOST_OF_VALUES if signature.values else MOST_LOST):
                break
        is_wrong = disproven(map(_shown, walks)) and not walker.is_right_otherwise(BODY_SAMPLES[0])
        is_known = walks[-1].is_right and walks[-1].is_known
        self.outcomes[function.fullname] = "wrong" if is_wrong else "verified" if is_known else "open"
        if is_wrong:
            self._report(site, function, next(walk for walk in walks if walk.wrong))
        elif len(walks) == len(BODY_SAMPLES) and all(_shown(walk) is Shown.REFUSED for walk in walks):
            self._report_refusal(site, function, walks[0])

    def forget(self) -> None:
        """Look at every function again from now on: something has changed, so that lines may be others."""
        self._current = None
        self._unsaid.clear()
        self._withheld.clear()
        self._refused.clear()

    def _report(self, site: Site, function: FuncDef, walk: Walk) -> None:
        wrong = walk.wrong
        assert wrong is not None
        message = errors.BODY.format(
            function=function.name,
            actual=wrong.actual,
            arguments=_arguments(walk, "for"),
            annotation=wrong.expected,
            sizes=f", here {wrong.here}" if wrong.here else "",
        )
        returns = _returns(function)
        lines = [line for each in returns for line in range(each.line, (each.end_line or each.line) + 1)]
        self._unsaid |= {(site.api.errors.file, line) for line in lines}
        # What is known of a result is the same on all ways through a body.
        place = returns[-1] if returns else function
        site.fail(message, CODES[wrong.code], place)

    def _report_refusal(self, site: Site, function: FuncDef, walk: Walk) -> None:
        """Report what JAX refuses, at its line if that is in the function."""
        place = PLACE.match(walk.refusal or "")
        if place is None or place["name"] != function.name:
            return
        context = Context(int(place["line"]))
        message = errors.REFUSED_BODY.format(
            function=function.name,
            arguments=_arguments(walk, "with"),
            reason=errors.sentence(place["reason"]),
        )
        self._refused[site.api.errors.file, context.line] = message
        site.fail(message, errors.ARRAY_SHAPE, context)

    def _is_not_said(self, file: str, info: ErrorInfo) -> bool:
        """Whether mypy is about to say what may be wrong, or what was said of a return already, in other words."""
        refusal = self._refused.get((file, info.line))
        if refusal is not None and info.code is errors.ARRAY_SHAPE and info.message != refusal:
            self._refused.pop((file, info.line))
            take_back(self._errors, lambda said: said.message == refusal)  # with less of the program in it
        is_said = info.code is codes.RETURN_VALUE and (file, info.line) in self._unsaid
        is_said = is_said or follows(info, self._errors.error_info_map.get(file, ()))
        if OF_OPERANDS.match(info.message) and (file, info.line) in self._withheld:
            return True
        if is_said or is_uncertain(info, self._equal):
            self._withheld.add((file, info.line))
            return True
        if self._overriding.is_right(self._api, file, info, self._has_texts):
            return True
        if self._has_texts and info.severity == "error":
            info.message = respelled(info.message)
        return False


def _shown(walk: Walk) -> Shown:
    """What a walk shows of what the function declares."""
    if walk.ended:
        return Shown.VIOLATED if walk.wrong else Shown.SATISFIED if walk.is_right else Shown.OPEN
    if not walk.refusal:
        return Shown.NOTHING
    return Shown.REFUSED if MISMATCH.search(walk.refusal) else Shown.REFUSED_OTHERWISE


def _arguments(walk: Walk, word: str) -> str:
    """What a walk passes, after a word; nothing where that is objects and containers alone."""
    said = {name: _said(value) for name, value in walk.arguments.items()}
    told = ", ".join(f"{name}{text}" for name, text in said.items() if text is not None)
    return f" {word} {told}" if told else ""


def _said(value: Value) -> str | None:
    """How an argument is told: arrays, and ints of which annotations say that they are sizes."""
    if isinstance(value, Array):
        return f": {describe(value)}"
    return f" = {value.value}" if isinstance(value, Static) and type(value.value) is int else None


def _returns(function: FuncDef) -> list[ReturnStmt]:
    """The statements by which a function returns."""
    statements = list(statements_inside(function.body))
    nested = {
        id(inner)
        for statement in statements
        if isinstance(statement, FuncDef)
        for inner in statements_inside(statement.body)
    }
    return [s for s in statements if isinstance(s, ReturnStmt) and id(s) not in nested]
