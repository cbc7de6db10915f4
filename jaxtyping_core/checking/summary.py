"""The last line of the text form: how many errors there are in how many files."""

from __future__ import annotations

from jaxtyping_core.showing.listing import plural

#: Where nothing is found, but some program was not evaluated to its end.
PARTIAL = "No issues found, but {what} was evaluated (checked {files})"
NOT_EVERYTHING, NOTHING = "not everything", "no program"


def success(checked: int) -> str:
    """Nothing is wrong in so many files."""
    return f"Success: no issues found in {plural(checked, 'source file')}"


def partial(checked: int, is_nothing: bool) -> str:
    """Nothing was found, but not all programs, or none, were evaluated to their end."""
    what = NOTHING if is_nothing else NOT_EVERYTHING
    return PARTIAL.format(what=what, files=plural(checked, "source file"))


def errors(count: int, files: int, checked: int) -> str:
    """So many errors are in so many of the checked files; with none checked, they kept all others from being checked."""
    rest = f"checked {plural(checked, 'source file')}" if checked else "errors prevented further checking"
    return f"Found {plural(count, 'error')} in {plural(files, 'file')} ({rest})"
