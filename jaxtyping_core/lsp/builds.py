"""What mypy with the plugin says of a file, in this process: as for ``check``, and as for ``show``.

mypy's cache holds the stubs and the modules that are saved, and what a build has loaded of them serves for the next
one. mypy's own daemon goes further, but crashes now and then, and what it says is not always what a run from a cache says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mypy.errors import CompileError
from mypy.find_sources import InvalidSourceList

from jaxtyping_core.checking.formats import OPTIONS as AS_JSON
from jaxtyping_core.programs.sources import parse
from jaxtyping_core.programs.syntax import is_unannotated, nodes
from jaxtyping_core_mypy.inferred import OPTIONS as OF_SHOW
from jaxtyping_core_mypy.inferred import Inferred, infer_with


class Checked(NamedTuple):
    """What mypy says under the options of ``check``: a message a line; `inferred` is None where it cannot check."""

    lines: list[str]
    inferred: Inferred | None


class Mypy:
    """mypy, for some texts.

    Args:
        texts: those of the file, which is the first, and of others of its program that are not saved.
        unsaved: those of them that the disk has otherwise.
        folder: where files may be written, for mypy to read in the place of those.
        config: the configuration with the plugin.
        python: the interpreter of the project; None for the one that the configuration names, or this one.
        plugins: those of the configuration that are loaded.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        unsaved: Iterable[str],
        folder: Path,
        config: Path,
        python: str | None,
        plugins: Sequence[str],
    ) -> None:
        self._texts, self._plugins = texts, plugins
        self._arguments = ["--config-file", str(config), *(["--python-executable", python] if python else [])]
        for number, path in enumerate(unsaved):
            # mypy parses the file on the disk, whatever text it is given, unless another stands for it.
            shadow = folder / f"unsaved{number}.py"
            shadow.write_text(texts[path], encoding="utf-8")
            self._arguments += ["--shadow-file", path, str(shadow)]

    def as_check(self) -> Checked:
        """What ``check`` has mypy say."""
        try:
            inferred = self._infer({})
        except CompileError as error:
            return Checked(error.messages, None)
        except (InvalidSourceList, SystemExit):  # such as a setting that mypy does not know
            return Checked([], None)
        return Checked(inferred.built.result.errors, inferred)

    def as_show(self) -> Inferred | None:
        """What ``show`` has mypy infer: functions that have no annotations are looked into."""
        try:
            return self._infer(OF_SHOW)
        except (CompileError, InvalidSourceList, SystemExit):
            return None

    def _infer(self, own: Mapping[str, Any]) -> Inferred:
        return infer_with(self._texts, [*self._arguments, *AS_JSON], own, self._plugins, again=True)

    def leaves_out(self, inferred: Inferred) -> bool:
        """Whether mypy has passed over functions, which it checks for ``show``."""
        built = inferred.built
        own = [built.options.clone_for_module(source.module) for source in built.sources]
        if all(options.check_untyped_defs and not options.ignore_errors for options in own):
            return False
        return any(is_unannotated(node) for text in self._texts.values() for node in nodes(parse(text)))
