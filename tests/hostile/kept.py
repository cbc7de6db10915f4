"""A keeper of an evaluation child, and what happens while a hostile program is put to it."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import effects
from attacks import COSTLY, Attack, Scene

HERE = Path(__file__).parent
CHILD, KEEPER = HERE / "child", HERE / "keeper.py"
#: How a note of the test child about a lasting change begins.
CHANGED = "pwned_state:"
#: How one begins that says what wall it has.
STANDS = "the wall: "
#: The child's own seconds for a program, for one that is costly, and those of a clock until the keeper is given up.
SECONDS, SHORT, PATIENCE = 3.0, 1.0, 60.0
#: What is asked of a child to see that it answers rightly.
HEALTHY = "import jax.numpy as jnp\nknown = jnp.ones((5, 7)) @ jnp.ones((7, 6))\n"
#: The memory that a child may have held.
MEMORY = 4 << 30


@dataclass
class Outcome:
    """What came of a program: the effects that were seen, and all that was said."""

    effects: list[str]
    report: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def lost(self) -> bool:
        """Whether there was no answer: the child ended, or was ended, or something is wrong with it."""
        notes = self.report.get("notes", ())
        return any("was not evaluated: " in note for note in notes)

    @property
    def told(self) -> str:
        return json.dumps(self.report, ensure_ascii=False)

    @property
    def is_right(self) -> bool:
        """Whether this is the answer to `HEALTHY`, of a child that walks programs or of one that executes them."""
        known = [(place["name"], place["dtype"], place["shape"]) for place in self.report.get("places", ())]
        executed = any(note.startswith("known = (5, 6) ") for note in self.report.get("notes", ()))
        return executed or known == [("known", "float32", [5, 6])]


class Kept:
    """Starts a keeper in the scene's folder, another one when that has ended.

    Args:
        words: what the test child lacks; None for the real child.
    """

    def __init__(self, scene: Scene, words: tuple[str, ...] | None) -> None:
        self.scene, self.words = scene, words
        self.keeper: subprocess.Popen[bytes] | None = None
        self.child: int | None = None
        #: What wall the test child says that it has; empty if it has said nothing.
        self.wall = ""
        self._buffer, self._number = b"", 0
        self.is_fresh = False

    def start(self) -> subprocess.Popen[bytes]:
        if self.keeper is None:
            folder, words = ("", ()) if self.words is None else (str(CHILD), self.words)
            self.keeper = subprocess.Popen(
                [sys.executable, "-P", str(KEEPER), folder, *words],
                cwd=self.scene.work,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **self.scene.variables, "PYTHONDONTWRITEBYTECODE": "1"},
                start_new_session=True,
            )
        return self.keeper

    def put(self, attack: Attack) -> Outcome:
        """Have a program evaluated, and look."""
        outcome = self.ask(self.scene.set(attack.text), SHORT if attack.kind in COSTLY else SECONDS)
        # What one did to the child is not counted against the next; the test child puts back what it has noticed.
        is_hurt = any(not effect.startswith(CHANGED) for effect in outcome.effects)
        self.is_fresh = is_hurt or outcome.lost or attack.kind == "forged"
        return outcome

    def ask_elsewhere(self, folder: Path) -> Outcome:
        """Ask `HEALTHY` about a program of another folder, for which there is always another child."""
        return self.ask(HEALTHY, folder=folder)

    def ask(self, text: str, seconds: float = SECONDS, folder: Path | None = None) -> Outcome:
        keeper, start = self.start(), time.monotonic()
        assert keeper.stdin is not None
        self._number += 1
        question = {
            "number": self._number,
            "text": f"{text}\n# {self._number}\n",
            "seconds": seconds,
            "fresh": self.is_fresh,
            "folder": str(folder or self.scene.work),
        }
        self.is_fresh = False
        before, noticed, answer = self.child, [], None
        try:
            keeper.stdin.write(json.dumps(question).encode() + b"\n")
            keeper.stdin.flush()
            while answer is None:
                line = self._line(keeper)
                with contextlib.suppress(ValueError):
                    read = json.loads(line)
                    if isinstance(read, dict) and read.get("number") == self._number:
                        answer = read
                if answer is None:
                    noticed.append(f"forged: {line[:60]!r}")
        except (OSError, EOFError, TimeoutError) as error:
            noticed.append(f"the keeper was ended: {error!r}")
        told = json.dumps(answer["report"], ensure_ascii=False) if answer else ""
        if answer:
            self.child = answer["child"]
            stands = [note for note in answer["report"]["notes"] if note.startswith(STANDS)]
            self.wall = stands[0].removeprefix(STANDS) if stands else self.wall
            noticed += [f"signal {number}" for number in answer["signals"]]
        happened = self.scene.happened(told)
        if happened:
            self.scene.restore()
        noticed += happened
        noticed += self._left(keeper, before)
        if answer:
            noticed += [note for note in answer["report"]["notes"] if note.startswith(CHANGED)][:3]
            if any(
                "Traceback (most recent" in note and "program.py" not in note
                for note in answer["report"]["notes"]
            ):
                noticed.append("a traceback")
            if self.child is not None and effects.peak_memory(self.child) > MEMORY:
                noticed.append("memory")
        else:
            self.close()
        return Outcome(noticed, answer["report"] if answer else {}, time.monotonic() - start)

    def _left(self, keeper: subprocess.Popen[bytes], before: int | None) -> list[str]:
        """Processes below the keeper that are none of the child; they are ended."""
        own = {self.child, before}
        noticed = []
        for pid in sorted(effects.descendants(keeper.pid) - own):
            state = Path(f"/proc/{pid}/stat")
            with contextlib.suppress(OSError):
                if state.read_text().rpartition(")")[2].split()[0] != "Z":
                    noticed.append("a process is left")
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        return noticed

    def _line(self, keeper: subprocess.Popen[bytes]) -> bytes:
        assert keeper.stdout is not None
        end = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(keeper.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if time.monotonic() > end:
                    raise TimeoutError("no answer")
                if selector.select(1.0):
                    chunk = os.read(keeper.stdout.fileno(), 1 << 16)
                    if not chunk:
                        raise EOFError("it is gone")
                    self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def close(self) -> None:
        keeper, self.keeper, self._buffer, self.child = self.keeper, None, b"", None
        if keeper is None:
            return
        below = effects.descendants(keeper.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(keeper.pid, signal.SIGKILL)
        for pid in below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        keeper.wait()
        for pipe in (keeper.stdin, keeper.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
