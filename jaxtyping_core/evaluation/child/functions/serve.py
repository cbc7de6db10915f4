"""The loop of questions about functions of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...protocol import Answer, requested_call
from ...values import Dim, Value
from ..call import Evaluation, by_sizes
from ..interpreter import session
from ..interpreter.statement_progress import StatementProgress
from ..sizes import concrete_reader
from ..verdicts import Refused, Undecided
from .loaded import Loaded, RefusedInside

#: Programs that are kept at most, so that the memory is not filled with them.
MOST = 6


class Functions:
    """The programs that have been sent, by their digests."""

    def __init__(self) -> None:
        self.sources: dict[str, Any] = {}
        self.loaded: dict[str, Loaded] = {}

    def take(self, sources: dict[str, Any]) -> Answer:
        """Take the modules of a program, about whose functions questions come."""
        self.sources[sources["digest"]] = sources
        return Answer(unknown="taken")

    def answer(self, message: dict[str, Any]) -> Answer:
        """The answer to a question about a call."""
        digest = message["of"]
        loaded = self.loaded.pop(digest, None) or self._load(digest)
        self.loaded[digest] = loaded  # the last one that was used
        while len(self.loaded) > MOST:
            del self.loaded[next(iter(self.loaded))]
        loaded.machine.progress = StatementProgress(self.sources[digest], message.get("skipped", []))
        question = Question(loaded, requested_call(message))
        with loaded.limited(float(message["seconds"])):
            try:
                if question.symbols:
                    return Answer(result=by_sizes(question, Undecided("no size that was tried is accepted")))
                return Answer(result=question.run(concrete_reader({})))
            except RefusedInside as refused:
                return Answer(error=str(refused), kind=refused.kind)
            except Refused as refused:
                return Answer(unknown=str(refused))

    def _load(self, digest: str) -> Loaded:
        import jax

        sources = self.sources[digest]
        with (
            jax.ensure_compile_time_eval()
        ):  # what libraries compute when they are imported is no part of any trace
            session.prepare(sources)
        return Loaded(sources)


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
        return self._loaded.call(self.value, dim)


def serve(lines: Iterable[bytes], answered: Callable[[bytes, Callable[[Any], Answer]], None]) -> None:
    """Answer the questions in `lines`, all under one trace, so that what modules hold stays of use.

    `answered` says the answer to a line, which the function that it is given makes of the message in it.
    """
    import jax

    functions = Functions()

    def reply(message: Any) -> Answer:
        if "sources" in message:
            return functions.take(message["sources"])
        return functions.answer(message)

    def all_lines() -> None:
        for line in lines:
            answered(line, reply)

    jax.eval_shape(all_lines)
