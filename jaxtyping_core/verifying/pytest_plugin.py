"""``pytest --jaxtyping-verify=MODULE``: a test for each annotated function of a module.

pytest imports this module in every run. The rest is imported only if the option is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .subjects import Subject

OPTION = "--jaxtyping-verify"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("jaxtyping_core").addoption(
        OPTION,
        action="append",
        default=[],
        metavar="MODULE[:FUNCTION]",
        dest="jaxtyping_verify",
        help="verify the array annotations of a module, given by its name or the path of its file. This imports the "
        "module and calls its functions. Repeat the option for more modules",
    )


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each function.

    Raises:
        pytest.UsageError: a module cannot be imported, or has no such function.
    """
    modules: Any = config.getoption("jaxtyping_verify")
    if not modules:
        return
    from jaxtyping_core.errors import CommandError

    from .report import chosen

    try:
        subjects = [subject for module in modules for subject in chosen(module)]
    except CommandError as error:
        raise pytest.UsageError(str(error)) from None
    items.extend(Verified.of(session, subject) for subject in subjects)


class Contradicted(Exception):
    """A function does not return what it declares."""


class Verified(pytest.Item):
    """The test of one function. It fails if the annotations are wrong, and is skipped if they cannot be checked."""

    subject: Subject
    #: As the items of doctests have it: plugins look for fixtures there.
    funcargs: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, session: pytest.Session, subject: Subject) -> Verified:
        """The test of a function."""
        path = Path(subject.file)
        shown = path.relative_to(session.path) if path.is_relative_to(session.path) else path
        nodeid = f"{shown.as_posix()}::verify::{subject.name}"
        made = cls.from_parent(session, name=f"verify::{subject.name}", nodeid=nodeid)
        made.subject, made.path = subject, path
        return made

    def runtest(self) -> None:
        """Verify the function."""
        from .verdicts import Answer, Verification

        verdict = Verification(self.subject).verdict()
        if verdict.answer is Answer.CONTRADICTED:
            raise Contradicted(verdict)
        if verdict.answer is Answer.NOT_CHECKED:
            pytest.skip(verdict.reason)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The line that the command prints; tracebacks of ours say nothing of a program."""
        if not isinstance(excinfo.value, Contradicted):
            return super().repr_failure(excinfo, style)
        from jaxtyping_core.checking.formats import concise

        from .report import diagnostic

        return "\n".join(concise(diagnostic(excinfo.value.args[0])))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the function is."""
        return self.path, self.subject.line - 1, self.name
