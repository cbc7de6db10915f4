"""Tests in the stubs by which each type checker takes the branch that is meant for it.

Checkers leave out a branch whose test they know to be false. They know different tests; all of these are false at run
time as well. Measured with mypy 2.4, pyright 1.1, basedpyright, pyrefly 1.4, ty and zuban 0.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

#: mypy and zuban compare versions of two parts only: to them the second part may be true. mypy, other than zuban, does
#: not know the platform on the right: to it all of this may be true, to all others it is false.
MYPY = '"mypy" == sys.platform and sys.version_info < (3, 0, 0)'
#: False where the mypy plugin is at work, which makes mypy take the name for true.
NO_PLUGIN = "not JAXTYPING_CORE_PLUGIN"

#: What pyright cannot know, and the others know to be true: pyrefly and ty by the second part, mypy and zuban by the
#: first, where the module declares `MYPY: bool`. Of two definitions pyright takes the last.
NOT_PYRIGHT = 'MYPY or not os.name.startswith("pyright")'

#: What ty and pyrefly know to be true, and the others to be false: they compare the first two parts of the version, so
#: that no version is above (3, 12) and below (3, 13).
TY_OR_PYREFLY = " and ".join(
    f"(sys.version_info < (3, {minor}) or sys.version_info > (3, {minor}))" for minor in range(11, 20)
)

#: What pyright knows to be false, and the others to be true or, mypy and zuban, possible: of two definitions they take the
#: first. The other tests leave both to pyright, which takes neither of two imports.
ALL_BUT_PYRIGHT = f"sys.version_info < (3, 0, 0) or ({TY_OR_PYREFLY})"


def thin_in_mypy(exact: Iterable[str], thin: Iterable[str]) -> Iterator[str]:
    """Lines that mypy has another form of: the one that its plugin wants, which computes all results itself.

    Without the plugin mypy would pay for every row, and keep the type of a variable's first value where others narrow.
    """
    yield f"if {MYPY}:"
    yield from indented(thin)
    yield f"elif {NO_PLUGIN}:"  # the plugin spares mypy the reading of it
    yield from indented(exact)


#: The same, as the modules of functions call it.
without_plugin = thin_in_mypy


def for_mypy_and_others(for_mypy: Iterable[str], for_others: Iterable[str]) -> Iterator[str]:
    """Lines that are the same for mypy with and without the plugin."""
    yield f"if {MYPY}:"
    yield from indented(for_mypy)
    yield "else:"
    yield from indented(for_others)


def if_else(test: str, first: Iterable[str], second: Iterable[str]) -> Iterator[str]:
    """Two forms of some lines, by a test."""
    yield f"if {test}:"
    yield from indented(first)
    yield "else:"
    yield from indented(second)


def indented(lines: Iterable[str]) -> Iterator[str]:
    """The lines as a block."""
    return (f"    {line}" for line in lines)
