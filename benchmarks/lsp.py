"""How long the language server takes to open a file, and after an edit that changes one function.

A file is opened twice: with no answers on the disk, and with those of the first time. Then random edits, one at a time:
how long until the diagnostics and the hints are there, how much processor time all processes of the server take for that,
and how long a hover takes meanwhile.

    python benchmarks/lsp.py
    python benchmarks/lsp.py --edits 200 --lines 1000 5000
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import statistics
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
#: Seconds after an answer in which the server gets ready for the next one.
REST = 4.0
COMMAND = [sys.executable, "-P", "-m", "jaxtyping_core", "lsp"]


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

    async def start(self, file: Path) -> float:
        """Seconds until the first hints of a file are there."""
        start = time.perf_counter()
        self.uri = file.as_uri()
        await self.client.start_io(*COMMAND)
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
        return await self.answer() - start

    async def edit(self, text: str) -> tuple[float, float, float]:
        """Seconds until the answer, those of the processor, and those of a hover meanwhile."""
        self.version += 1
        before = processor_seconds(self.client._server.pid)
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        start = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        await asyncio.sleep(0.05)  # now it is busy
        asked = time.perf_counter()
        place = types.TextDocumentIdentifier(self.uri)
        await self.client.text_document_hover_async(types.HoverParams(place, types.Position(20, 8)))
        hover = time.perf_counter() - asked
        took = await self.answer() - start
        await asyncio.sleep(PAUSE)  # what it does after the answer counts as well
        return took, processor_seconds(self.client._server.pid) - before, hover

    async def answer(self) -> float:
        """When the answer came."""
        return await asyncio.wait_for(self.news.get(), LONGEST)

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def processor_seconds(pid: int) -> float:
    """What a process and those that it has started have taken so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for child in children)


def figures(values: Iterable[float]) -> str:
    """The median and the 95th percentile, in milliseconds."""
    values = sorted(values)
    return f"{1000 * statistics.median(values):.0f} / {1000 * values[int(0.95 * (len(values) - 1))]:.0f}"


async def measure(name: str, text: str, edits: int, seed: int) -> None:
    """Print the row of one program."""
    with tempfile.TemporaryDirectory(prefix="lsp-") as folder:
        os.environ["JAXTYPING_CORE_CACHE_DIR"] = str(Path(folder) / "answers")
        file = Path(folder) / "project" / "program.py"
        file.parent.mkdir()
        file.write_text(text)
        client = Client()
        cold = await client.start(file)
        await asyncio.sleep(REST)
        await client.stop()
        client = Client()
        warm = await client.start(file)
        await asyncio.sleep(REST)
        generator = random.Random(seed)
        rows = [await client.edit(number(text, generator)) for _ in range(edits)]
        await client.stop()
    took, processor, hover = zip(*rows, strict=True)
    print(
        f"| {name} | {cold:.1f} | {warm:.1f} | {figures(took)} | {figures(processor)} | {figures(hover)} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--lines", type=int, nargs="*", default=[1000], help="lengths of generated programs")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {arguments.edits} edits; median / 95th percentile in ms\n")
    print("| program | open, s | with answers on the disk, s | edit | processor time of it | hover |")
    print("|---|--:|--:|--:|--:|--:|")
    programs = {"examples/train.py": EXAMPLE.read_text()}
    programs |= {f"{lines:,} lines": program(lines) for lines in arguments.lines}
    for name, text in programs.items():
        asyncio.run(measure(name, text, arguments.edits, arguments.seed))


if __name__ == "__main__":
    main()
