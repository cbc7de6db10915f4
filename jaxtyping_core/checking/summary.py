"""The last line of the text form: how many findings there are in how many files."""

from __future__ import annotations

from collections.abc import Mapping

from jaxtyping_core.severities import ERROR, INFO, SEVERITIES, WARNING
from jaxtyping_core.showing.listing import plural

#: Where nothing is found, but some program was not evaluated to its end.
PARTIAL = "No issues found, but {what} was evaluated (checked {files})"
#: What findings are called when they are counted.
NAMES = {ERROR: "error", WARNING: "warning", INFO: "info message"}
NOT_EVERYTHING, NOTHING = "not everything", "no program"


def success(checked: int) -> str:
    """Nothing is wrong in so many files."""
    return f"Success: no issues found in {plural(checked, 'source file')}"


def partial(checked: int, is_nothing: bool) -> str:
    """Nothing was found, but not all programs, or none, were evaluated to their end."""
    what = NOTHING if is_nothing else NOT_EVERYTHING
    return PARTIAL.format(what=what, files=plural(checked, "source file"))


def findings(counts: Mapping[str, int], files: int, checked: int) -> str:
    """So many findings of each severity are in so many of the checked files; with none checked, errors kept all others from it."""
    *most, last = [plural(counts[each], NAMES[each]) for each in SEVERITIES if counts.get(each)]
    what = f"{', '.join(most)} and {last}" if most else last
    rest = f"checked {plural(checked, 'source file')}" if checked else "errors prevented further checking"
    return f"Found {what} in {plural(files, 'file')} ({rest})"
