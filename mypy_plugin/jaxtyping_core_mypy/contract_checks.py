"""Reports what the evaluation of the program finds wrong, where mypy's types lose it.

These tell much of a body, and lose what goes through closures, loops and several dims at once (``*batch``). The evaluation walks each
function with what it declares, and with what it is called with. Where mypy's types tell of a mistake as well, that is what is
reported: programs have comments for its code.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import Expression, FuncDef, ReturnStmt

from jaxtyping_core.checking.ignoring import Ignored
from jaxtyping_core.evaluation.protocol import EXAMPLE
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import Type
from jaxtyping_core_mypy.convert.dim_strings import without_suffixes
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.convert.overriding import Overriding
from jaxtyping_core_mypy.convert.possible_false_positives import CODES, Expectations, follows
from jaxtyping_core_mypy.evaluated import better
from jaxtyping_core_mypy.jaxtyping_notation import respelled
from jaxtyping_core_mypy.mypy_internals import HoldingBack, take_back
from jaxtyping_core_mypy.refusals import Place
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.trees import functions_of, statements_inside, tree_of

#: The codes of errors that tell of a mistake by types, which the evaluation has found as well.
MORE_OF_IT = frozenset({codes.ARG_TYPE, codes.RETURN_VALUE, codes.ASSIGNMENT, *errors.BY_KIND.values()})


class Bodies:
    """The functions of the modules that mypy checks, each of which is looked at when mypy comes to it."""

    def __init__(self) -> None:
        self._current: tuple[str, object] | None = None
        #: The first place in the function at hand: whoever comes to it again may have forgotten what was said.
        self._first: object = None
        #: The lines with returns of which mypy is not to say anything, each with its file.
        self._unsaid: set[tuple[str, int]] = set()
        #: The lines with what JAX refuses in walks, in the same way, each with the message.
        self._refused: dict[tuple[str, int], str] = {}
        #: What has been reported, here or at a call.
        self._told: set[Refusal] = set()
        self._ignored: dict[str, Ignored] = {}
        self._errors: Any = None
        #: The last place of a hook, and its file.
        self._site: Site | None = None
        self._file = ""
        self._expectations: Expectations | None = None
        self._overriding = Overriding()
        self._has_texts = False
        self._equal = EqualDims()
        self._holding_back = HoldingBack(self._is_not_said)

    def look(self, site: Site) -> None:
        """Report what is wrong in the function that the place of a hook is in, if mypy has just come to it; so for a module's top level."""
        self._site, self._errors, self._file = site, site.api.errors, site.api.errors.file
        self._has_texts = site.facts.imports_jaxtyping
        self._equal = site.facts.equal_dims
        self._holding_back.begin(self._errors)
        function, place = site.api.scope.top_level_function(), site.ctx.context
        current = site.api.errors.file, function
        if current == self._current and place is not self._first:
            return
        self._current, self._first = current, place
        if site.system != "jax" or not site.facts.has_arrays:
            return
        reported: set[int] = set()
        for place, nearer in site.engine.known.of(site.api.path).refusals:
            is_here = place.line not in reported and site.facts.is_inside(place.line, function)
            if not is_here or place.refusal in self._told:
                continue
            is_left = self._is_ignored(place, nearer)
            if not is_left and not any(is_annotated(site.api, each.file, each.line) for each in nearer):
                reported.add(place.line)
                self._told.add(place.refusal)
                self._report(site, function, place)

    def _is_ignored(self, place: Place, nearer: list[Place]) -> bool:
        """Whether a comment says that a refusal is not to be reported. Of those for mypy at the place itself mypy keeps count."""
        where = nearer[0] if nearer else place
        if where.file not in self._ignored:
            self._ignored[where.file] = Ignored(Path(where.file))
        ignored, code = self._ignored[where.file], errors.BY_KIND[place.refusal.kind].code
        line = ignored.by(where.line, code)
        return line is not None and (bool(nearer) or ignored.is_ours(line))

    def forget(self) -> None:
        """Look at every function again from now on: something has changed, so that lines may be others."""
        self._current = self._expectations = None
        self._unsaid.clear()
        self._refused.clear()
        self._told.clear()
        self._ignored.clear()

    def _report(self, site: Site, function: Any, told: Place) -> None:
        file, place, message = site.api.errors.file, told.context, told.message
        if isinstance(function, FuncDef) and message.startswith(f'"{_name(function)}" returns '):
            returns = _returns(function)
            self._unsaid |= {
                (file, line)
                for each in returns
                for line in range(each.line, (each.end_line or each.line) + 1)
            }
            # What is known of a result is the same on all ways through a body.
            place = returns[-1] if returns else function
        lines = range(told.line, (place.end_line or told.line) + 1)
        if any(info.line in lines for info in self._errors.error_info_map.get(file, ())):
            return
        if isinstance(function, FuncDef) and EXAMPLE in message:
            reason, _, arguments = message.partition(EXAMPLE)
            message = errors.REFUSED_BODY.format(
                function=function.name, arguments=f" with {arguments}", reason=errors.sentence(reason)
            )
        if not self._unsaid.intersection((file, line) for line in lines):
            self._refused |= dict.fromkeys(((file, line) for line in lines), message)
        site.fail(message, errors.BY_KIND[told.refusal.kind], place)

    def _is_not_said(self, file: str, info: ErrorInfo) -> bool:
        """Whether mypy is about to say what may be wrong, or what was said of a return already, in other words."""
        refusal = self._refused.get((file, info.line))
        if refusal is not None and info.code in MORE_OF_IT and info.message != refusal:
            mine = {key for key, message in self._refused.items() if message == refusal}
            lines = {line for of_file, line in mine if of_file == file}
            for key in mine:
                del self._refused[key]
            take_back(
                self._errors,
                lambda said: said.message == refusal or (said.line in lines and errors.is_link(said.message)),
            )
        is_said = info.code is codes.RETURN_VALUE and (file, info.line) in self._unsaid
        is_said = is_said or follows(info, self._errors.error_info_map.get(file, ()))
        if is_said or self._is_uncertain(file, info):
            return True
        if self._site and self._overriding.is_right(self._site.api, file, info, self._has_texts):
            return True
        info.message = without_suffixes(info.message)
        if self._has_texts and info.severity == "error":
            info.message = respelled(info.message)
        return False

    def _is_uncertain(self, file: str, info: ErrorInfo) -> bool:
        """Whether what mypy is about to say of an array may be wrong. Where no hook was called yet, it is about none."""
        if info.code not in CODES or self._site is None or file != self._file:
            return False
        # mypy's daemon puts the new statements of a module that was edited into the tree that it had.
        if self._expectations is None or self._expectations.statements is not self._site.api.tree.defs:
            self._expectations = Expectations(self._site.api, self._better)
        return self._expectations.is_uncertain(info, self._equal)

    def _better(self, expression: Expression, typ: Type) -> Type:
        """The type of an expression with what the evaluation of the program knows of it."""
        return typ if self._site is None else better(self._site, expression, typ)


def is_annotated(api: Any, file: str, line: int) -> bool:
    """Whether a line of a file is in a function with annotations, or in none: mypy looks at others only if it is told to."""
    tree = tree_of(api.modules, file)
    functions = [] if tree is None else functions_of(tree)
    around = (each for each in functions if each.line <= line <= (each.end_line or each.line))
    outermost = next(around, None)
    return tree is not None and (outermost is None or outermost.type is not None)


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
