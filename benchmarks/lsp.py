"""How long the language server takes after an edit that changes one function.

Random edits, one at a time: how long until the diagnostics and the first hints are there, until all hints are, and how
long a hover takes meanwhile; each beside `jaxtyping-core show` of the same file, which reads mypy's cache.

    python benchmarks/lsp.py
    python benchmarks/lsp.py --edits 200 --lines 1000 5000
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from random_edits import number
from sample_program import program

EXAMPLE = Path(__file__).parents[1] / "examples" / "train.py"
#: Seconds between two edits, and those until an answer is given up.
PAUSE, LONGEST = 0.5, 300.0
COMMAND = [sys.executable, "-P", "-m", "jaxtyping_core"]


class Client:
    """An editor with one open file, that is told when there is something new."""

    def __init__(self) -> None:
        self.client: Any = LanguageClient("benchmark", "1")  # pygls annotates it in part
        self.news: asyncio.Queue[float] = asyncio.Queue()
        self.version = 1
        self.uri = ""

        self.client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda _: self._refreshed())
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda _: None)

    def _refreshed(self) -> None:
        self.news.put_nowait(time.perf_counter())

    async def start(self, file: Path) -> None:
        self.uri = file.as_uri()
        await self.client.start_io(*COMMAND, "lsp")
        hints = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        workspace = types.WorkspaceClientCapabilities(inlay_hint=hints)
        await self.client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(workspace=workspace),
                workspace_folders=[types.WorkspaceFolder(file.parent.as_uri(), "folder")],
            )
        )
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, "python", 1, file.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def edit(self, text: str) -> tuple[float, float, float]:
        """Seconds until the first answer, the last one, and of a hover meanwhile."""
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        start = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        await asyncio.sleep(0.15)  # now it is busy
        asked = time.perf_counter()
        place = types.TextDocumentIdentifier(self.uri)
        await self.client.text_document_hover_async(types.HoverParams(place, types.Position(20, 8)))
        hover = time.perf_counter() - asked
        times = await self.answers()
        return times[0] - start, times[-1] - start, hover

    async def answers(self) -> list[float]:
        """When the answers came: the second one follows, or there is but one."""
        times = [await asyncio.wait_for(self.news.get(), LONGEST)]
        while True:
            try:
                times.append(await asyncio.wait_for(self.news.get(), max(3.0, 8 * PAUSE)))
            except TimeoutError:
                return times

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def seconds_of_show(file: Path) -> float:
    """What `show` takes, with a cache."""
    subprocess.run([*COMMAND, "show", "--json", file.name], cwd=file.parent, capture_output=True, check=True)
    start = time.perf_counter()
    subprocess.run([*COMMAND, "show", "--json", file.name], cwd=file.parent, capture_output=True, check=True)
    return time.perf_counter() - start


def figures(values: Iterable[float]) -> str:
    """The median and the 95th percentile, in milliseconds."""
    values = sorted(values)
    return f"{1000 * statistics.median(values):.0f} / {1000 * values[int(0.95 * (len(values) - 1))]:.0f}"


async def measure(name: str, text: str, edits: int, seed: int) -> None:
    """Print the row of one program."""
    with tempfile.TemporaryDirectory(prefix="lsp-") as folder:
        file = Path(folder) / "program.py"
        file.write_text(text)
        show = seconds_of_show(file)
        client = Client()
        before = time.perf_counter()
        await client.start(file)
        first = (await client.answers())[0] - before
        generator = random.Random(seed)
        rows = []
        for _ in range(edits):
            rows.append(await client.edit(number(text, generator)))
            await asyncio.sleep(PAUSE)
        await client.stop()
    soon, whole, hover = zip(*rows, strict=True)
    ratio = statistics.median(whole) / show
    print(
        f"| {name} | {first:.1f} | {figures(soon)} | {figures(whole)} | {figures(hover)} | {show:.1f} | {ratio:.2f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--lines", type=int, nargs="*", default=[1000], help="lengths of generated programs")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {arguments.edits} edits; median / 95th percentile in ms\n")
    print("| program | open, s | diagnostics, first hints | all hints | hover | show, s | all / show |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    programs = {"examples/train.py": EXAMPLE.read_text()}
    programs |= {f"{lines:,} lines": program(lines) for lines in arguments.lines}
    for name, text in programs.items():
        asyncio.run(measure(name, text, arguments.edits, arguments.seed))


if __name__ == "__main__":
    main()
