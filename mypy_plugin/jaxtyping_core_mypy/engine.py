"""The settings of one mypy run and the evaluator that serves it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mypy.nodes import SymbolTableNode, TypeInfo
from mypy.options import Options

from jaxtyping_core.evaluation.client import evaluator
from jaxtyping_core.evaluation.protocol import Answer, Value, request
from jaxtyping_core_mypy import settings
from jaxtyping_core_mypy.convert import Reader, Writer


class Engine:
    """Asks JAX, under the promotion mode that the checked program runs with."""

    def __init__(self, options: Options, lookup: Callable[[str], SymbolTableNode | None]) -> None:
        self._lookup = lookup
        self.x64, self.promotion = settings.load(Path.cwd())
        # The interpreter whose packages mypy checks against: its JAX is the program's JAX.
        self._evaluator = evaluator(options.python_executable or sys.executable)

    @property
    def system(self) -> str:
        """The promotion system of `jaxtyping_core.promotion` that JAX follows here."""
        return "jax" if self.promotion == "standard" else "jax-strict"

    def find_class(self, fullname: str) -> TypeInfo:
        """The class of this name.

        Raises:
            LookupError: the stubs that mypy sees have no such class.
        """
        symbol = self._lookup(fullname)
        if symbol is None or not isinstance(symbol.node, TypeInfo):
            raise LookupError(f"the stubs that mypy found have no class {fullname}")
        return symbol.node

    def writer(self, reader: Reader) -> Writer:
        """A writer for the answer to the call that `reader` read."""
        return Writer(reader.api, reader.symbols, self.find_class)

    def ask(self, function: str, args: Sequence[Value], kwargs: Mapping[str, Value] | None = None) -> Answer:
        """JAX's answer to a call; see `jaxtyping_core.evaluation.protocol` for `function` and the values."""
        message = request(function, args, kwargs or {}, x64=self.x64, promotion=self.promotion)
        return self._evaluator.ask(message)
