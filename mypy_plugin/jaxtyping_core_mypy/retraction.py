"""Taking back what mypy has said, where the plugin knows better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mypy.errors import ErrorInfo


def take_back(errors: Any, is_wrong: Callable[[ErrorInfo], bool]) -> None:
    """Forget the messages about the file at hand that are wrong; `errors` is mypy's object of all messages."""
    reported: dict[str, list[ErrorInfo]] = errors.error_info_map
    kept = [message for message in reported.pop(errors.file, []) if not is_wrong(message)]
    if kept:  # mypy takes a file with an entry for one with errors
        reported[errors.file] = kept
    for watcher in errors._watchers:  # they hold back what mypy may say later
        if watcher._filtered:
            watcher._filtered[:] = [message for message in watcher._filtered if not is_wrong(message)]
