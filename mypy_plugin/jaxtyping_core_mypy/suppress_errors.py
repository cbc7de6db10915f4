"""Taking back what mypy has said, where the plugin knows better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mypy.errors import ErrorInfo, ErrorWatcher


def take_back(errors: Any, is_wrong: Callable[[ErrorInfo], bool]) -> None:
    """Forget the messages about the file at hand that are wrong; `errors` is mypy's object of all messages."""
    reported: dict[str, list[ErrorInfo]] = errors.error_info_map
    kept = [message for message in reported.pop(errors.file, []) if not is_wrong(message)]
    if kept:  # mypy takes a file with an entry for one with errors
        reported[errors.file] = kept
    for watcher in errors._watchers:  # they hold back what mypy may say later
        if watcher._filtered:
            watcher._filtered[:] = [message for message in watcher._filtered if not is_wrong(message)]


def hold_back(errors: Any, is_wrong: Callable[[str, ErrorInfo], bool]) -> None:
    """Keep mypy from saying what is wrong from now on; `is_wrong` is given the file, too."""
    if not any(watcher._filter is is_wrong for watcher in errors._watchers):
        errors._watchers.insert(0, ErrorWatcher(errors, filter_errors=is_wrong))
