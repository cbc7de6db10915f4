"""The module that is being checked."""

from __future__ import annotations

from typing import Any

from mypy.nodes import Context, MypyFile

from jaxtyping_core_mypy.facts import ModuleFacts


class CurrentModule:
    """The facts of the module that is being checked."""

    def __init__(self, configured: str) -> None:
        self._configured = configured
        self._defs: Any = None
        self._facts: ModuleFacts | None = None

    @property
    def tree(self) -> MypyFile | None:
        """The module."""
        return None if self._facts is None else self._facts.tree

    def facts(self, api: Any, now: Context) -> ModuleFacts:
        """The facts of the module that the checker `api` is at, in which it has come to `now`."""
        # dmypy puts a new tree's statements into the old MypyFile: the list tells them apart, the file does not.
        if self._facts is None or self._defs is not api.tree.defs:
            self._defs, self._facts = api.tree.defs, ModuleFacts(api, now, self._configured)
        return self._facts
