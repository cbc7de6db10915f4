"""Reports what is wrong in the bodies of functions that declare arrays, where mypy's types lose it.

These tell much of a body, and lose what goes through closures, loops and several dims at once (``*batch``). So the engine walks each
body with what the function declares (`jaxtyping_core.engine.declared_checks`), and what it finds of the result and of
sizes is reported here. Of the rest mypy's types tell more, at each expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import Context, FuncDef, ReturnStmt

from jaxtyping_core.domain.values import Own, Static, Tuple
from jaxtyping_core.evaluation.accepted import message as harmless
from jaxtyping_core.evaluation.protocol import DECLARED, EXAMPLE
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert.declarations import declares_shapes
from jaxtyping_core_mypy.convert.dim_strings import Texts, special_cases
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.convert.overriding import Overriding
from jaxtyping_core_mypy.jaxtyping_notation import respelled
from jaxtyping_core_mypy.possible_false_positives import follows, is_uncertain
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.suppress_errors import hold_back, take_back
from jaxtyping_core_mypy.trees import statements_inside

#: What mypy adds to an error of an operator, for a union.
OF_OPERANDS = re.compile(r"(?:Left|Right) operand is of type |Both left and right operands are unions")


class Wrong(NamedTuple):
    """What is wrong in a body."""

    line: int
    kind: str
    message: str


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
        if not isinstance(function, FuncDef) or not site.facts.programs:
            return
        if not declares_shapes(self._texts.signature(function)) or function.is_generator:
            return
        self._unsaid |= {(site.api.errors.file, line) for line in special_cases(function)}
        module = site.api.tree
        own = Own(module.path, function.fullname.removeprefix(f"{module.fullname}."))
        for wrong in _told(site.ask(DECLARED, [own]).result):
            self._report(site, function, wrong)

    def forget(self) -> None:
        """Look at every function again from now on: something has changed, so that lines may be others."""
        self._current = None
        self._unsaid.clear()
        self._withheld.clear()
        self._refused.clear()

    def _report(self, site: Site, function: FuncDef, wrong: Wrong) -> None:
        file, returns = site.api.errors.file, _returns(function)
        if wrong.message.startswith(f'"{_name(function)}" returns '):
            self._unsaid |= {
                (file, line)
                for each in returns
                for line in range(each.line, (each.end_line or each.line) + 1)
            }
            # What is known of a result is the same on all ways through a body.
            place = returns[-1] if returns else function
            site.fail(wrong.message, errors.BY_KIND[wrong.kind], place)
        elif EXAMPLE in wrong.message:
            reason, _, arguments = wrong.message.partition(EXAMPLE)
            message = errors.REFUSED_BODY.format(
                function=function.name, arguments=f" with {arguments}", reason=errors.sentence(reason)
            )
            self._refused[file, wrong.line] = message
            site.fail(message, errors.BY_KIND[wrong.kind], Context(wrong.line))

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


def _told(result: Any) -> Iterator[Wrong]:
    """What the engine tells of a body; a child is not believed to have the form that it should have."""
    for each in result.items if isinstance(result, Tuple) else ():
        match each:
            case Tuple((Static(int() as line), Static(str() as kind), Static(str() as message))):
                if kind in errors.BY_KIND:
                    yield Wrong(line, kind, harmless(message))


def _name(function: FuncDef) -> str:
    """A function as messages name it: a method with its class."""
    return f"{function.info.name}.{function.name}" if function.info else function.name


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
