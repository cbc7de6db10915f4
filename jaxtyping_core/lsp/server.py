"""The server: what editors ask, and what they are told unasked."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import PyglsError
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

import jaxtyping_core
from jaxtyping_core.errors import SettingsError
from jaxtyping_core.lsp import configuration
from jaxtyping_core.lsp.configuration import SECTION, Configuration
from jaxtyping_core.lsp.folder import Folder, Texts
from jaxtyping_core.lsp.records import Answer, Fix, Request
from jaxtyping_core.lsp.shown import NAME, Shown
from jaxtyping_core.programs.roots import MARKS

#: Seconds that a request for hints waits for what holds of the text of now, before it is told what held before.
HINTS_WAIT = 2.0
#: And one for actions for the fixes of errors, each of which is tried.
FIXES_WAIT = 6.0


class Server(LanguageServer):
    """What is known of the open files."""

    def __init__(self) -> None:
        super().__init__(
            NAME, jaxtyping_core.__version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental
        )
        self.configuration = Configuration()
        self._folders: dict[Path, Folder] = {}
        #: The open files, by their paths, with their addresses as the editor writes them.
        self._open: dict[str, str] = {}
        #: The last answer about each, with the text that it is about.
        self._answers: dict[str, tuple[str, Answer]] = {}
        #: The texts that the last answer, of whatever kind, was about.
        self._seen: dict[str, str] = {}
        #: The fixes of errors, by the file, its text and the lines; the last answer has all, and until the first there is none.
        self._fixes: dict[tuple[str, str, tuple[int, int]], Answer | None] = {}
        self._news = asyncio.Condition()
        self._warned: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    # The documents

    def look(self, uri: str) -> None:
        """A document is new or another: have it looked at, and those whose programs it is in."""
        path = to_fs_path(uri)
        if path is None or not uri.startswith("file:"):
            return
        self._open[path] = uri
        self._folder_of(path).want(path)
        resolved = str(Path(path).resolve())
        for other, (_, answer) in self._answers.items():
            if other != path and resolved in answer.uses:
                self._folder_of(other).want(other)

    def look_again(self, uri: str) -> None:
        """A document is saved: have it looked at if nothing is known of its text."""
        path = to_fs_path(uri)
        if path not in self._answers or not self._is_seen(path):
            self.look(uri)

    def forget(self, uri: str) -> None:
        """A document is closed."""
        path = to_fs_path(uri)
        if path is None or path not in self._open:
            return
        del self._open[path]
        self._answers.pop(path, None)
        self._seen.pop(path, None)
        self._folder_of(path).forget(path)
        self._publish(uri, [])

    def shown(self, uri: str) -> Shown | None:
        """What there is to show of a document."""
        path = to_fs_path(uri)
        if path is None or path not in self._answers:
            return None
        text, answer = self._answers[path]
        return Shown(uri, answer, text, self._text(path), self.workspace.position_codec.client_num_units)

    async def settled(self, uri: str) -> None:
        """Wait, but not for long, until the text of now has been looked at."""
        path = to_fs_path(uri)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HINTS_WAIT), self._news:
                await self._news.wait_for(lambda: path not in self._open or self._is_seen(path))

    async def fixes(self, uri: str, lines: tuple[int, int]) -> tuple[Fix, ...]:
        """What makes the errors in some lines go away, as far as that is found soon."""
        await self.settled(uri)
        path, shown = to_fs_path(uri), self.shown(uri)
        if path is None or shown is None or not shown.is_wrong(lines, self.configuration):
            return ()
        key = path, self._text(path), lines
        if key not in self._fixes:
            self._fixes = {old: fixes for old, fixes in self._fixes.items() if old[:2] == key[:2]} | {
                key: None
            }
            self._folder_of(path).want_fixes(path, lines)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIXES_WAIT), self._news:
                await self._news.wait_for(lambda: key not in self._fixes or _is_last(self._fixes[key]))
        answer = self._fixes.get(key)
        return () if answer is None else answer.fixes

    def _is_seen(self, path: str) -> bool:
        return self._seen.get(path) == self._text(path)

    def _text(self, path: str) -> str:
        return self.workspace.get_text_document(self._open[path]).source

    def _texts(self, folder: Path) -> Texts:
        return {path: self._text(path) for path in self._open if self._root_of(path) == folder}

    # The folders

    def _root_of(self, path: str) -> Path:
        """The folder of the workspace that a file is in, or that of its project."""
        file = Path(path)
        folders = [Path(root) for uri in self.workspace.folders if (root := to_fs_path(uri))]
        inside = [folder for folder in folders if file.is_relative_to(folder)]
        if inside:
            return max(inside, key=lambda folder: len(folder.parts))
        marked = (above for above in file.parents if any((above / mark).exists() for mark in MARKS))
        return next(marked, file.parent)

    def _folder_of(self, path: str) -> Folder:
        root = self._root_of(path)
        if root not in self._folders:
            self._folders[root] = Folder(
                root, self.configuration, lambda: self._texts(root), self._told, self.warn
            )
        return self._folders[root]

    def _told(self, request: Request, answer: Answer) -> None:
        """A folder has an answer about a file."""
        path, text = request.file, request.texts[request.file]
        if path not in self._open:
            return
        if request.lines is not None:
            if (path, text, request.lines) in self._fixes:
                self._fixes[path, text, request.lines] = answer
                self.later(self._wake())
            return
        self._seen[path] = text
        for complaint in answer.complaints:
            self.warn(complaint)
        for note in answer.notes:
            self.window_log_message(types.LogMessageParams(types.MessageType.Info, f"{path}: {note}"))
        if answer.is_known:
            self._answers[path] = text, answer
            self._show(path)
        self.later(self._notify())

    def _show(self, path: str) -> None:
        """Tell the editor what it does not ask for."""
        uri = self._open[path]
        shown = self.shown(uri)
        if shown is not None:
            version = self.workspace.get_text_document(uri).version
            self._publish(uri, shown.diagnostics(self.configuration), version)

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None = None) -> None:
        params = types.PublishDiagnosticsParams(uri, diagnostics, version)
        self.text_document_publish_diagnostics(params)

    async def _notify(self) -> None:
        await self._wake()
        self._refresh_hints()

    async def _wake(self) -> None:
        async with self._news:
            self._news.notify_all()

    def _refresh_hints(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None, lambda _: None)

    # The user

    def warn(self, message: str) -> None:
        """Tell the user something, once."""
        if message not in self._warned:
            self._warned.add(message)
            text = f"{NAME}: {message}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    async def configure(self, data: object) -> None:
        """Take over settings."""
        try:
            new = configuration.read(data)
        except SettingsError as error:
            self.warn(str(error))
            return
        old, self.configuration = self.configuration, new
        if (old.python, old.trust) != (new.python, new.trust):
            await self.close_folders()
            for uri in [*self._open.values()]:
                self.look(uri)
        for path in self._answers:
            self._show(path)
        self._refresh_hints()

    async def ask_configuration(self) -> None:
        """Ask the editor for settings, if it is one that is asked."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.configuration:
            items = [types.ConfigurationItem(section=SECTION)]
            with contextlib.suppress(PyglsError, asyncio.CancelledError):
                (found,) = await self.workspace_configuration_async(types.ConfigurationParams(items))
                if found:
                    await self.configure(found)

    async def close_folders(self) -> None:
        """End all processes."""
        folders, self._folders = self._folders, {}
        for folder in folders.values():
            await folder.close()

    def later(self, work: Any) -> None:
        """Do something while requests are answered."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A fault of ours: pygls has written it to the log, and there is nothing for the user to do."""


def _is_last(answer: Answer | None) -> bool:
    return answer is not None and answer.last


def _is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether an editor asks for actions of a kind: for all, for this one, or for one above it."""
    return context.only is None or any(f"{kind}.".startswith(f"{each}.") for each in context.only)


def make_server() -> Server:
    """A server with all that it answers."""
    server = Server()

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        await ls.ask_configuration()

    @server.feature(types.INITIALIZE)
    async def initialize(ls: Server, params: types.InitializeParams) -> None:
        if params.initialization_options:
            await ls.configure(params.initialization_options)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if params.settings:
            await ls.configure(params.settings)
        else:
            await ls.ask_configuration()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.look_again(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        await ls.settled(params.text_document.uri)
        shown = ls.shown(params.text_document.uri)
        start, end = params.range.start.line, params.range.end.line
        return shown.inlay_hints(start, end, ls.configuration) if shown else []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        shown = ls.shown(params.text_document.uri)
        return shown.hover(params.position) if shown else None

    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    async def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, lines = params.text_document.uri, (params.range.start.line, params.range.end.line)
        quick, rewrite = (_is_wanted(kind, params.context) for kind in kinds)
        fixes = await ls.fixes(uri, lines) if quick else ()
        shown = ls.shown(uri)
        if shown is None:
            return []
        return [*shown.quick_fixes(fixes), *(shown.actions(*lines) if rewrite else ())]

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: Server, _: None) -> None:
        await ls.close_folders()

    return server
