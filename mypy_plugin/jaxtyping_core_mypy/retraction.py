"""Taking back what mypy has said, where the plugin knows better."""

from __future__ import annotations

from collections.abc import Callable

from mypy.errors import ErrorInfo, Errors


def take_back(errors: Errors, is_wrong: Callable[[ErrorInfo], bool]) -> None:
    """Forget the messages about the file at hand that are wrong."""
    messages = errors.error_info_map.pop(errors.file, [])
    kept = [message for message in messages if not is_wrong(message)]
    if kept:  # mypy takes a file with an entry for one with errors
        errors.error_info_map[errors.file] = kept
