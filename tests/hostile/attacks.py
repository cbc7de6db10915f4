"""The hostile programs of `programs/`, by cause, and the scene in which a test runs them.

`Scene.set` replaces these words in a program's text:

- ``SECRET_FILE``: the path of a file that only its owner may read; the variable ``HOSTILE_SECRET`` holds another secret;
- ``CANARY_FILE``: the path of a file that must not change;
- ``OUT``: a folder in which no file may appear; none may appear in the current folder either;
- `effects.PORT`, ``SOCKET``, ``ABSTRACT``: a TCP port at 127.0.0.1, a Unix socket in the folder, and an abstract one. A test listens.

A program that reads a secret reports the secret itself, its length, or one of `BITS`. A program that invents an answer puts `FORGED`
into it. No text contains that word in one piece, so that it appears in a report only if the invented answer is believed.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import threading
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import effects
from effects import Listener

#: Where the package has the evaluation.
FOLDER = Path(__file__).parents[2] / "jaxtyping_core" / "evaluation"
PROGRAMS = Path(__file__).with_name("programs")
VARIABLE = "HOSTILE_SECRET"
#: How long the secrets are.
LENGTH_OF_FILE, LENGTH_OF_VARIABLE = 40_009, 30_011
BITS = ("61001", "61002")
FORGED = "pwned_told"
#: Those that try to take more time or memory than there is.
COSTLY = ("time", "memory", "crash")


@dataclass(frozen=True)
class Attack:
    """A hostile program."""

    cause: str
    name: str
    text: str

    @property
    def kind(self) -> str:
        return effects.kind(self.text)

    @property
    def id(self) -> str:
        return f"{self.cause}/{self.name}"


def attacks() -> list[Attack]:
    """All of them."""
    files = sorted(PROGRAMS.glob("*/*.py"))
    return [Attack(file.parent.name, file.stem, file.read_text(encoding="utf-8")) for file in files]


class Closing(Listener):
    """One that ends each connection at once, so that nobody waits for an answer."""

    def __init__(self, unix: str | None = None) -> None:
        super().__init__(unix)
        self._socket.setblocking(True)
        self._reached = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            while True:
                connection, _ = self._socket.accept()
                self._reached.set()
                connection.close()

    def connected(self) -> bool:
        reached = self._reached.is_set()
        self._reached.clear()
        return reached


class Scene:
    """A folder with what hostile programs look for, and what has happened there.

    Args:
        folder: an empty one.
    """

    def __init__(self, folder: Path) -> None:
        self.work, self.out, self.private = folder / "work", folder / "out", folder / "private"
        for each in (self.work, self.out, self.private):
            each.mkdir()
        self.word, self.other_word = (f"zq{secrets.token_hex(8)}" for _ in range(2))
        self.secret = self.private / "secret"
        self.secret.write_text(self.word.ljust(LENGTH_OF_FILE, "q"))
        self.secret.chmod(0o600)
        self.variables = {VARIABLE: self.other_word.ljust(LENGTH_OF_VARIABLE, "w")}
        self.canary = self.private / "canary"
        self.lines = Closing()
        self.listeners = {"port": self.lines}
        with contextlib.suppress(OSError, AttributeError):  # where there are such sockets
            self.listeners["socket"] = Closing(str(folder / "socket"))
            self.listeners["abstract"] = Closing(f"\0{folder.name}-{secrets.token_hex(4)}")
        self.restore()

    def restore(self) -> None:
        """Put everything back, and look at it."""
        for folder in (self.work, self.out):
            for path in sorted(folder.rglob("*"), reverse=True):
                with contextlib.suppress(OSError):
                    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        for path in [path for path in self.private.rglob("*") if path.name not in ("secret", "canary")]:
            with contextlib.suppress(OSError):
                path.unlink()
        with contextlib.suppress(OSError):
            self.canary.unlink()
        self.canary.write_text("as it was")
        self.canary.chmod(0o640)
        os.utime(self.canary, (1_000_000_000, 1_000_000_000))
        self.look()

    def look(self, ignored: Collection[str] = ()) -> None:
        """Take things as they are now for those that must stay."""
        self.before = self._seen(ignored)

    def _seen(self, ignored: Collection[str]) -> dict[str, object]:
        folders = {
            folder.name: {
                path: noticed
                for path, noticed in effects.snapshot(folder).items()
                if Path(path).parts[0] not in ignored
            }
            for folder in (self.work, self.out, self.private)
        }
        modes = {
            folder.name: stat.S_IMODE(folder.stat().st_mode) for folder in (self.work, self.out, self.private)
        }
        return {"modes": modes, **folders}

    def set(self, text: str) -> str:
        """A program for this place."""
        return (
            text.replace("SECRET_FILE", str(self.secret))
            .replace("CANARY_FILE", str(self.canary))
            .replace("OUT", str(self.out))
            .replace("SOCKET", self.listeners["socket"].port if "socket" in self.listeners else "none")
            .replace(
                "ABSTRACT", self.listeners["abstract"].port[1:] if "abstract" in self.listeners else "none"
            )
            .replace(effects.PORT, self.lines.port)
        )

    def happened(self, told: str = "", ignored: Collection[str] = ()) -> list[str]:
        """What an evaluation that said this has done here, but for what is `ignored` in the folders."""
        now, noticed = self._seen(ignored), []
        for where, before in self.before.items():
            if now[where] != before:
                changed = sorted(dict(now[where].items() ^ before.items()))  # type: ignore[attr-defined]
                noticed.append(f"changed {where}: {changed}")
        noticed += [
            f"connected to {name}" for name, listener in self.listeners.items() if listener.connected()
        ]
        noticed += [f"told {secret}" for secret in self.secrets_in(told)]
        if FORGED in told:
            noticed.append("forged")
        return noticed

    def secrets_in(self, told: str) -> Iterator[str]:
        """The secrets that a text tells."""
        for name, word in (("the file", self.word), ("the variable", self.other_word)):
            if word in told:
                yield name
        for number in (str(LENGTH_OF_FILE), str(LENGTH_OF_VARIABLE), *BITS):
            if re.search(rf"(?<!\d){number}(?!\d)", told):
                yield number

    def close(self) -> None:
        for listener in self.listeners.values():
            listener.close()
