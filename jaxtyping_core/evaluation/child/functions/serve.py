"""The loop of questions about functions of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ....domain.dims import Dim
from ....domain.values import Array, Call, Key, Own, Value, inside, transform
from ....engine.statement_progress import StatementProgress
from ....sampling.attempts import Evaluation, by_sizes
from ....sampling.errors import Refused, Undecided
from ....sampling.sizes import concrete_reader
from ... import protocol
from ...protocol import Answer, requested_call
from .loaded import Loaded, RefusedInside
from .walked import Walked

#: The options that JAX has: whether there are 64-bit types, and how dtypes are promoted.
Options = tuple[bool, str]
#: Programs that are kept at most, and sets of modules that they share, so that the memory is not filled with them.
MOST, MOST_WALKED = 200, 4


class Functions:
    """The programs that have been sent, by their digests."""

    def __init__(self) -> None:
        self.sources: dict[str, Any] = {}
        #: By their digests and options.
        self.loaded: dict[tuple[str, Options], Loaded] = {}
        #: The last one was used last.
        self.walked: list[tuple[Options, Walked]] = []

    def take(self, sources: dict[str, Any]) -> Answer:
        """Take the modules of a program, about whose functions questions come."""
        self.sources[sources["digest"]] = sources
        return Answer(unknown="taken")

    def walk(self, message: dict[str, Any]) -> Answer:
        """Walk the modules that a question is going to be about: that has limits of its own."""
        self._loaded(message).walk(message["walk"])
        return Answer(unknown="walked")

    def answer(self, message: dict[str, Any]) -> Answer:
        """The answer to a question about a call."""
        loaded = self._loaded(message)
        call = requested_call(message)
        question = Question(loaded, call)
        loaded.interpreter.budget.renew(float(message["seconds"]))
        try:
            match call:
                case Call(function=protocol.DECLARED, args=(Own() as own,)):
                    return Answer(result=loaded.declared(own))
            if question.symbols:
                return Answer(result=by_sizes(question, Undecided("no size that was tried is accepted")))
            return Answer(result=question.run(concrete_reader({})))
        except RefusedInside as refused:
            return Answer(error=str(refused), kind=refused.kind)
        except Refused as refused:
            return Answer(unknown=str(refused))

    def _loaded(self, message: dict[str, Any]) -> Loaded:
        """The program that a message is about, under the options that it has."""
        digest, options = message["of"], (bool(message["x64"]), str(message["promotion"]))
        sources = self.sources[digest]
        loaded = self.loaded.pop((digest, options), None)
        if loaded is None or not loaded.is_whole:
            loaded = Loaded(sources, self._walked(sources, options))
        self.loaded[digest, options] = loaded  # the last one that was used
        while len(self.loaded) > MOST:
            del self.loaded[next(iter(self.loaded))]
        loaded.interpreter.progress = StatementProgress(sources, message.get("skipped", []))
        return loaded

    def _walked(self, sources: dict[str, Any], options: Options) -> Walked:
        """Modules that have been walked, as far as other programs have them, too."""
        shared = [walked for others, walked in self.walked if others == options and walked.takes(sources)]
        walked = max(shared, key=lambda each: each.shares(sources), default=None) or Walked(sources["trust"])
        self.walked = [each for each in self.walked if each[1] is not walked] + [(options, walked)]
        if len(self.walked) > MOST_WALKED:
            _, forgotten = self.walked.pop(0)
            self.loaded = {
                key: loaded for key, loaded in self.loaded.items() if loaded.walked is not forgotten
            }
        walked.add(sources)
        return walked


class Question(Evaluation):
    """A call of a function of a program, under choices of sizes for the symbols in it."""

    def __init__(self, loaded: Loaded, call: Value) -> None:
        super().__init__(call)
        self._loaded = loaded

    def run(
        self,
        dim: Callable[[Dim], Any],
        dtype: str | None = None,
        numbers: Callable[[int], Any] | None = None,
    ) -> Value:
        """What the call gives, for sizes that `dim` reads."""
        result = self._loaded.call(self.value, dim)
        # It is called with a typed key: a raw one has another dtype and another rank.
        return transform(result, _of_any_key) if Key() in inside(self.value) else result


def _of_any_key(part: Value) -> Value:
    """A part of a result that holds for typed and for raw keys."""
    is_key = isinstance(part, Array) and part.dtype is not None and part.dtype.startswith("key<")
    return Array() if is_key else part


def serve(lines: Iterable[bytes], answered: Callable[[bytes, Callable[[Any], Answer]], None]) -> None:
    """Answer the questions in `lines`, all under one trace, so that what modules hold stays of use.

    `answered` says the answer to a line, which the function that it is given makes of the message in it.
    """
    import jax

    functions = Functions()

    def reply(message: Any) -> Answer:
        if "sources" in message:
            return functions.take(message["sources"])
        if "walk" in message:
            return functions.walk(message)
        return functions.answer(message)

    def all_lines() -> None:
        for line in lines:
            answered(line, reply)

    jax.eval_shape(all_lines)
