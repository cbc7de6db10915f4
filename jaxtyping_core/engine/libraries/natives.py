"""Functions that are called in place of others: Python's own, and those of libraries that do more than compute."""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ...sampling.solvers import SPARSE
from ..values.callables import Namespace
from ..values.unknowns import UNKNOWN, AbstractScalar
from . import registry
from .calls import limits
from .jax import functions as jax_functions
from .jax import meshes
from .numpy import quadratures
from .numpy import random_numbers as numpy_random
from .overlay import Overlay
from .python import builtin_functions, chance, command_lines, data_texts, paths, standard_results
from .trust import writers
from .trust.tables import STANDARD

if TYPE_CHECKING:
    from ..interpreter import Interpreter

Native = Callable[..., Any]
#: Packages that are there whatever a program imports, but for these modules of theirs. Others, which take long to import, are
#: imported by a program that needs them.
ALWAYS = STANDARD | {"jax", "numpy"}
IF_IMPORTED = ("jax.experimental.", SPARSE)


class Natives:
    """The table of one interpreter.

    Attributes:
        names: the names that a program sees without importing anything.
        by_id: what is called in place of a function, by the function's id.
        modules: what is seen in place of a name of a module.
        whole: what is imported in place of a module.
        bases: the classes that overlays have for programs to derive theirs from.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        interpreter.natives = self  # for those that make others at once
        self.by_id: dict[int, Native] = {}
        self._kept: list[Any] = []
        #: The ids of our own functions: real code may call these, and not what they stand for.
        self.ours: set[int] = set()
        #: The ids of those that read files or a network, which may not be there.
        self.may_fail: set[int] = set()
        #: The ids of those that stand for functions of libraries.
        self.of_libraries: set[int] = set()
        self.limits = limits.rows(limits.ROWS)
        self.names: dict[str, Any] = {
            name: getattr(builtins, name) for name in builtin_functions.PLAIN if hasattr(builtins, name)
        }
        for name, make in builtin_functions.FUNCTIONS.items():
            function = make(interpreter)
            real = getattr(builtins, name)
            if isinstance(real, type):  # also a dtype, and what `isinstance` is asked about
                self.names[name] = real
                self.replace(real, function)
            else:
                self.names[name] = self.function(function)
        for name, make in builtin_functions.OF_CHECKERS.items():
            self.names[name] = self.function(make(interpreter))
        #: The ids of Python's own functions, as a program sees them.
        self.of_python = {identity(function) for function in self.names.values()}
        #: ``object.__setattr__``.
        self.set_plainly = self.function(
            lambda holder=UNKNOWN, name=UNKNOWN, value=UNKNOWN: interpreter.set_plainly(holder, name, value)
        )
        self._paths: dict[int, str] = {}
        self.modules: dict[tuple[str, str], Any] = {}
        meshes.replace_class(self)
        self.whole: dict[str, Any] = {}
        #: Classes of ours from which classes of the program may be derived.
        self.bases: set[type] = set()
        for path, make in jax_functions.FUNCTIONS.items():
            self._of_library(path, make)
        self._see(
            {
                **jax_functions.namespaces(self),
                **numpy_random.namespaces(self),
                **quadratures.namespaces(self),
                **command_lines.namespaces(self),
                **chance.namespaces(self),
                **paths.namespaces(self),
                **data_texts.namespaces(self),
                **standard_results.namespaces(self),
            }
        )
        self._overlays: set[str] = set()
        self.take()

    def take(self) -> None:
        """Take what overlays have in place of functions and modules, of those that have been loaded since the last time."""
        for problem in registry.problems:
            self.interpreter.diagnostics.note(problem)
        for overlay in registry.loaded():
            if overlay.library in self._overlays:
                continue
            self._overlays.add(overlay.library)
            before = set(self.ours)
            self._see(overlay.instead(self))
            if overlay.may_fail:
                self.may_fail |= self.ours - before
            if overlay.library in self.interpreter.libraries.roots and overlay.library in sys.modules:
                for path, make in (*overlay.functions.items(), *_of_classes(overlay)):
                    self._of_library(path, make)
                self._see(overlay.namespaces(self))
                self.limits |= limits.rows(overlay.limits)

    def _see(self, namespaces: Mapping[str, Any]) -> None:
        """Have the program see these in place of modules."""
        for name, namespace in namespaces.items():
            self.whole[name] = namespace
            parent, _, last = name.rpartition(".")
            self.modules[parent, last] = namespace
        self._paths.clear()

    def function(self, function: Native, keep: bool = True) -> Native:
        """`function`, known as one that takes what is unknown."""
        self.by_id[identity(function)] = function
        self.ours.add(identity(function))
        self._kept.append(function)
        return function

    def replace(self, real: Any, function: Native) -> None:
        """Call `function` in place of `real`."""
        self.by_id[identity(real)] = function
        self._kept += [real, function]

    def path_of(self, value: Any) -> str | None:
        """The path of the name in place of which a program sees this; None if it is of no such name."""
        if not self._paths:
            self._paths = {identity(value): ".".join(path) for path, value in self.modules.items()}
        return self._paths.get(identity(value))

    def has(self, holder: Any, name: str) -> bool:
        """Whether a name of a module is one of the table."""
        return (getattr(holder, "__name__", None), name) in self.modules

    def format_of(self, text: str) -> Native:
        """``text.format``, of which only the type is told."""
        return self.function(lambda *_, **__: AbstractScalar(str))

    def _of_library(self, path: str, make: Callable[[Interpreter], Native]) -> None:
        module, _, name = path.rpartition(".")
        if module.partition(".")[0] not in self.interpreter.libraries.roots:
            return
        at_once = module.partition(".")[0] in ALWAYS and not module.startswith(IF_IMPORTED)
        if not at_once and module not in sys.modules:
            return
        try:
            real = getattr(importlib.import_module(module), name, UNKNOWN)
        except ImportError:
            return
        if real is not UNKNOWN:
            function = make(self.interpreter)
            self.replace(real, function)
            self.function(function)
            self.of_libraries |= {identity(real), identity(function)}
            self.modules[module, name] = function


def _of_classes(overlay: Overlay) -> Iterator[tuple[str, Callable[[Interpreter], Native]]]:
    return ((path, writers.of_class(path)) for path in overlay.of_classes)


__all__ = ["Namespace", "Natives"]
