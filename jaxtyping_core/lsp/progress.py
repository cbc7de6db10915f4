"""Tells the user that a file is looked at, where the editor shows progress."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import PyglsError
from pygls.lsp.server import LanguageServer

#: Seconds after which it is told.
AFTER = 1.0


@contextlib.asynccontextmanager
async def telling(server: LanguageServer, path: str) -> AsyncIterator[None]:
    """Within, a file is looked at; that is told if it takes a while."""
    task = asyncio.create_task(_tell(server, path))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _tell(server: LanguageServer, path: str) -> None:
    window = server.client_capabilities.window
    if not (window and window.work_done_progress):
        return
    await asyncio.sleep(AFTER)
    progress, token = server.work_done_progress, str(uuid.uuid4())
    try:
        await asyncio.shield(progress.create_async(token))
    except PyglsError:
        return
    progress.begin(token, types.WorkDoneProgressBegin("jaxtyping-core", message=Path(path).name))
    try:
        await asyncio.Event().wait()
    finally:
        progress.end(token, types.WorkDoneProgressEnd())
