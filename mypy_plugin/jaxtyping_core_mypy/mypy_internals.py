"""All that the plugin takes of mypy under names that begin with an underscore, and what it says or takes back past mypy's interface.

mypy has no hook for its own errors, and none for what a class promotes to. Each name has its reason, and what happens with a mypy
that lacks it. `tests/plugin/test_mypy_internals.py` fails then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from mypy.errors import ErrorInfo, ErrorWatcher
from mypy.nodes import TypeInfo

#: Of mypy's object of all messages, the watchers that hear each message before it is kept. A hook runs between watchers of
#: mypy's, each of which must be the last one when it ends, so that another one can only be put before all of them. Without the name,
#: mypy says what is wrong, too, and what the plugin says of a place is lost where mypy only tries something.
WATCHERS = "_watchers"
#: Of a class, those that it is taken for without being below them, as `int` is for `float`. Without the name, weak dtypes stay
#: subclasses: the union of a weak and a strong array is a strong one.
PROMOTES_TO = "_promote"


def take_back(errors: Any, is_wrong: Callable[[ErrorInfo], bool]) -> None:
    """Forget the messages about the file at hand that are wrong; `errors` is mypy's object of all messages."""
    reported: dict[str, list[ErrorInfo]] = errors.error_info_map
    before = reported.pop(errors.file, [])
    kept = [message for message in before if not is_wrong(message)]
    # Notes that are said once may be said again.
    errors.only_once_messages -= {message.message for message in before} - {
        message.message for message in kept
    }
    if kept:  # mypy takes a file with an entry for one with errors
        reported[errors.file] = kept
    for watcher in errors.get_watchers():  # they hold back what mypy may say later
        with contextlib.suppress(AssertionError):  # this one holds nothing
            held = watcher.filtered_errors()
            held[:] = [message for message in held if not is_wrong(message)]


class HoldingBack:
    """Keeps mypy from saying what is wrong; `is_wrong` is given the file, too."""

    def __init__(self, is_wrong: Callable[[str, ErrorInfo], bool]) -> None:
        self._is_wrong = is_wrong
        self._watcher: ErrorWatcher | None = None

    def begin(self, errors: Any) -> None:
        """From now on, whatever mypy's object of all messages is."""
        watchers = getattr(errors, WATCHERS, None)
        if watchers is None or any(watcher is self._watcher for watcher in watchers):
            return
        self._watcher = ErrorWatcher(errors, filter_errors=self._is_wrong)
        watchers.insert(0, self._watcher)


@contextlib.contextmanager
def heard(errors: Any) -> Iterator[None]:
    """What is reported within is not dropped, as mypy drops the errors of what it only tries."""
    watchers = getattr(errors, WATCHERS, [])
    before = watchers[:]
    watchers[:] = []
    try:
        yield
    finally:
        watchers[:] = before


def promote(info: TypeInfo) -> None:
    """A class becomes one beside its only base, for which it is taken."""
    if len(info.bases) != 1 or getattr(info, PROMOTES_TO, True):
        return
    [base] = info.bases
    setattr(info, PROMOTES_TO, [base])
    info.bases = [*base.type.bases]
    info.mro = [info, *base.type.mro[1:]]
