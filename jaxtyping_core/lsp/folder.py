"""A folder of the workspace, and the process that looks at its files.

The process may take long, hang or die: it is then ended and started anew, and what was known stays. Only the texts of
now are ever looked at: an edit that comes while another is looked at stands for all between, and has that given up once the typing ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from jaxtyping_core.lsp.configuration import Configuration
from jaxtyping_core.lsp.records import Answer, Question, Request, read_answer, write

#: Seconds without an edit after which a file is looked at.
PAUSE = 0.02
#: Seconds that an answer may take.
LIMIT = 300.0
#: Those after which one is given up that an edit has made worthless: the first one of a process has more to do.
PATIENCE, PATIENCE_AT_FIRST = 10.0, 60.0
#: And how often the time that the last one took may pass until then: a large file takes long on a busy machine.
TIMES = 4.0
#: How often the process may end over the same text.
ATTEMPTS = 2
#: How long a line with an answer may be.
MOST = 1 << 28
STEP = 0.05
#: Seconds without an edit after which what is being looked at is given up for the text of now: who types on sees what it gives.
REST = 0.3
#: How often in a row that may be.
MOST_GIVEN_UP = 3
DIED = "the process that checks {} ended twice; earlier results stay until you change the file"

#: In the place of an answer that is wanted no more: the process, which sees the next request, does not finish it.
GIVEN_UP = Answer(0)

Texts = dict[str, str]


class Folder:
    """Has the files of a folder looked at.

    Args:
        path: the folder.
        configuration: the user's settings.
        texts: gives the texts that the editor holds, by their paths.
        tell: is given each answer, with what it is to.
        warn: is given what the user should know.
        progress: tells the user, as long as it lasts, that a file is looked at.
    """

    def __init__(
        self,
        path: Path,
        configuration: Configuration,
        texts: Callable[[], Texts],
        tell: Callable[[Request, Answer], None],
        warn: Callable[[str], None],
        progress: Callable[[str], AbstractAsyncContextManager[None]],
    ) -> None:
        self.path = path
        self._configuration, self._texts, self._tell, self._warn = configuration, texts, tell, warn
        self._progress = progress
        self._process: asyncio.subprocess.Process | None = None
        self._took: float | None = None
        #: How many looks in a row have been given up, and whether the process has still to say something to the last one.
        self._given_up, self._is_owed = 0, False
        self._waiting: dict[str, None] = {}
        #: The questions about files, one about each: they wait until all else is done.
        self._asked: dict[str, Question] = {}
        self._edited = asyncio.Event()
        self._last_edit = 0.0
        self._numbers = itertools.count(1)
        self._task = asyncio.create_task(self._run())

    def want(self, *files: str) -> None:
        """Have files looked at, the first one first."""
        self._waiting = dict.fromkeys((*files, *self._waiting))
        self._last_edit = asyncio.get_running_loop().time()
        self._edited.set()

    def ask(self, file: str, question: Question) -> None:
        """Have a question answered, once there is nothing else to look at."""
        self._asked[file] = question
        self._edited.set()

    def forget(self, file: str) -> None:
        """Do not look at a file any more."""
        self._waiting.pop(file, None)
        self._asked.pop(file, None)

    async def close(self) -> None:
        """End the process."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._end()

    async def _run(self) -> None:
        while True:
            await self._edited.wait()
            await self._pause()
            self._edited.clear()
            while self._waiting or self._asked:
                if self._waiting:
                    file = next(iter(self._waiting))
                    del self._waiting[file]
                    async with self._progress(file):
                        await self._look(file)
                else:
                    await self._reply(*self._asked.popitem())
                await self._pause()

    async def _pause(self) -> None:
        """Wait for the end of the typing."""
        loop = asyncio.get_running_loop()
        while (rest := self._last_edit + PAUSE - loop.time()) > 0:
            await asyncio.sleep(rest)

    async def _look(self, file: str) -> None:
        for _ in range(ATTEMPTS):
            texts = self._texts()
            if file not in texts:
                return
            if await self._ask(Request(next(self._numbers), file, texts)):
                return
            await self._end()
            if file in self._waiting:  # with another text
                return
        self._warn(DIED.format(file))

    async def _reply(self, file: str, question: Question) -> None:
        texts = self._texts()
        request = Request(next(self._numbers), file, texts, question)
        if file in texts and not await self._ask(request):
            await self._end()
            self._tell(request, Answer(request.number))

    async def _ask(self, request: Request) -> bool:
        """Have a file looked at; whether the process answers."""
        try:
            if self._process is None:
                self._took, self._is_owed = None, False
                self._process = await self._start()
            assert self._process.stdin is not None
            self._process.stdin.write(write(request))  # not drained: one that is busy reads it later
            start = asyncio.get_running_loop().time()
            while True:
                answer = await self._answer(self._process, request.file)
                if answer is GIVEN_UP:
                    self._given_up, self._is_owed = self._given_up + 1, True
                    if request.question is not None:
                        self._tell(request, Answer(request.number))
                    return True
                if answer is None:
                    return False
                self._is_owed = False
                if answer.number != request.number:  # to what is wanted no more
                    continue
                self._took, self._given_up = asyncio.get_running_loop().time() - start, 0
                self._tell(request, answer)
                if answer.last or self._waiting:
                    return True
        except (OSError, LookupError, TypeError, ValueError):
            return False

    async def _answer(self, process: asyncio.subprocess.Process, file: str) -> Answer | None:
        """The next answer; None if none comes, and `GIVEN_UP` if it is wanted no more."""
        assert process.stdout is not None
        reading = asyncio.create_task(process.stdout.readline())
        try:
            if not await self._is_answered(reading, file):
                return GIVEN_UP if self._is_superseded(file) else None
            return read_answer(reading.result())
        finally:
            reading.cancel()

    async def _is_answered(self, reading: asyncio.Task[bytes], file: str) -> bool:
        loop = asyncio.get_running_loop()
        start = loop.time()
        patience = PATIENCE_AT_FIRST if self._took is None else max(PATIENCE, TIMES * self._took)
        while not reading.done():
            await asyncio.wait({reading}, timeout=STEP)
            limit = patience if file in self._waiting or self._is_owed else LIMIT
            if not reading.done() and (loop.time() - start > limit or self._is_superseded(file)):
                return False
        return True

    def _is_superseded(self, file: str) -> bool:
        """Whether a file has been edited while it was looked at, and that has been a moment ago."""
        rested = asyncio.get_running_loop().time() - self._last_edit > REST
        return file in self._waiting and rested and self._given_up < MOST_GIVEN_UP

    async def _start(self) -> asyncio.subprocess.Process:
        # -P: a file of the project called like a module of ours must not be imported.
        command = [sys.executable, "-P", "-m", "jaxtyping_core.lsp.worker"]
        return await asyncio.create_subprocess_exec(
            *command,
            self._configuration.trust,
            *([self._configuration.python] if self._configuration.python else []),
            cwd=self.path,
            env=_environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST,
        )

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _environment() -> dict[str, str]:
    """The variables of this process, but for what would have Python import modules of the folder."""
    path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    absolute = os.pathsep.join(part for part in path if Path(part).is_absolute())
    rest = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return rest | ({"PYTHONPATH": absolute} if absolute else {})
