"""The server: what editors ask, and what they are told unasked."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
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
from jaxtyping_core.lsp.documents import Document, Part, of_file, of_notebook, path_of_notebook
from jaxtyping_core.lsp.folder import Folder, Texts
from jaxtyping_core.lsp.presentation import NAME, Shown
from jaxtyping_core.lsp.progress import telling
from jaxtyping_core.lsp.records import Answer, Fix, Question, Request
from jaxtyping_core.programs import data_files
from jaxtyping_core.programs.import_roots import MARKS

#: Seconds that a request for hints waits for what holds of the text of now, before it is told what held before.
HINTS_WAIT = 2.0
#: Notebooks of which the editor tells, with the cells that are Python.
NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithNotebook(
            "jupyter-notebook", cells=[types.NotebookCellLanguage("python")]
        )
    ],
    save=False,
)
#: Files of which a change may change what is known. Programs write others of data as they run, such as logs.
DATA = tuple(f"*{suffix}" for suffix in data_files.SUFFIXES if suffix != ".json")
WATCHED = ("*.py", *DATA, "mypy.ini", ".mypy.ini", "setup.cfg")
#: And one for actions for the fixes of errors, each of which is tried.
FIXES_WAIT = 6.0
#: Seconds that a command of the user's may take.
LONGEST_WAIT = 60.0
STILL_LOOKING = f"{NAME}: the calls of this function are still being evaluated; choose the action again"
NOTHING_KNOWN = (
    f"{NAME}: no annotations were written: its calls are unknown, or annotations would cause errors"
)


class Server(LanguageServer):
    """What is known of the open files."""

    def __init__(self) -> None:
        super().__init__(
            NAME,
            jaxtyping_core.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=NOTEBOOKS,
        )
        self.configuration = Configuration()
        self._folders: dict[Path, Folder] = {}
        #: The open files and notebooks, by their paths, with their addresses as the editor writes them.
        self._open: dict[str, str] = {}
        #: The cells of notebooks in which the user has typed last, and the documents that were told of diagnostics.
        self._edited: dict[str, str] = {}
        self._published: dict[str, set[str]] = {}
        #: The last answer about each, with the text that it is about.
        self._answers: dict[str, tuple[str, Answer]] = {}
        #: Those whose texts are no Python now, with the answer that says why.
        self._broken: dict[str, tuple[str, Answer]] = {}
        #: The texts that the last answer, of whatever kind, was about.
        self._seen: dict[str, str] = {}
        #: The answers to questions, by the file and its text; the last answer has all, and until the first there is none.
        self._replies: dict[tuple[str, str, Question], Answer | None] = {}
        self._news = asyncio.Condition()
        self._warned: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    # The documents

    def path_of(self, uri: str) -> str | None:
        """The file that stands for the program that a document is, or is a part of; None if it is not looked at."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        if notebook is not None:
            return path_of_notebook(notebook.uri)
        return to_fs_path(uri) if uri.startswith("file:") else None

    def document(self, path: str) -> Document | None:
        """A program that is open, as it is in the editor now."""
        uri = self._open.get(path)
        if uri is None:
            return None
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is None:
            return of_file(self.workspace, path, uri)
        return of_notebook(self.workspace, notebook, path, self._edited.get(path))

    def is_open(self, uri: str) -> bool:
        """Whether a file is open: what the disk has of it does not matter."""
        return to_fs_path(uri) in self._open

    def look(self, path: str | None, uri: str) -> None:
        """The program of a document, or of a notebook, is new or another: have it looked at, and those that use it."""
        if path is None:
            return
        self._open[path] = uri
        self._folder_of(path).want(path)
        resolved = str(Path(path).resolve())
        for other, (_, answer) in self._answers.items():
            if other != path and resolved in answer.uses:
                self._folder_of(other).want(other)

    def look_at_all(self) -> None:
        """Have everything looked at that is open."""
        for path, uri in [*self._open.items()]:
            self.look(path, uri)

    def look_again(self, uri: str) -> None:
        """A document is saved: have it looked at if nothing is known of its text."""
        path = self.path_of(uri)
        if path not in self._answers or not self._is_seen(path):
            self.look(path, uri)

    def edited(self, notebook: str, cells: Sequence[str]) -> None:
        """Cells of a notebook have another text, or it has other cells."""
        path = path_of_notebook(notebook)
        if path is not None and cells:
            self._edited[path] = cells[-1]
        self.look(path, notebook)
        document = self.document(path) if path else None
        if path and document:
            now = {part.uri for part in document.parts}
            for uri in self._published.get(path, set()) - now:
                self._publish(Part(uri, 0, None), [])

    def forget(self, path: str | None) -> None:
        """A document, or a notebook, is closed."""
        if path is None or path not in self._open:
            return
        del self._open[path]
        for known in (self._answers, self._broken, self._seen, self._edited):
            known.pop(path, None)
        self._folder_of(path).forget(path)
        for uri in self._published.pop(path, ()):
            self._publish(Part(uri, 0, None), [])

    def shown(self, uri: str) -> Shown | None:
        """What there is to show of the program of a document."""
        path = self.path_of(uri)
        return None if path is None else self._shown(path)

    def _shown(self, path: str) -> Shown | None:
        return self._as_shown(path, self._answers)

    def _as_shown(self, path: str, answers: Mapping[str, tuple[str, Answer]]) -> Shown | None:
        """What there is to show of one of the answers about a program."""
        document = self.document(path)
        if document is None or not document.parts or path not in answers:
            return None
        text, answer = answers[path]
        return Shown(answer, text, document, self.workspace.position_codec.client_num_units)

    async def settled(self, uri: str) -> None:
        """Wait, but not for long, until the text of now has been looked at."""
        path = self.path_of(uri)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HINTS_WAIT), self._news:
                await self._news.wait_for(lambda: path not in self._open or self._is_seen(path))

    async def fixes(self, uri: str, lines: range) -> tuple[Fix, ...]:
        """What makes the errors in some lines of a document go away, as far as that is found soon."""
        await self.settled(uri)
        path, shown = self.path_of(uri), self.shown(uri)
        if path is None or shown is None or not shown.is_wrong(uri, lines, self.configuration):
            return ()
        first, last = (shown.now.line(uri, line) for line in (lines.start, lines.stop - 1))
        answer = await self._reply(path, shown.now.text, Question("fixes", first, last), FIXES_WAIT)
        return () if answer is None else answer.fixes

    async def annotations(self, uri: str, line: int) -> types.WorkspaceEdit | None:
        """The edit that annotates the function that begins in a line; the user is told if there is none."""
        path, shown = self.path_of(uri), self.shown(uri)
        if path is None or shown is None:
            return None
        answer = await self._reply(path, shown.now.text, Question("annotations", line, line), LONGEST_WAIT)
        edit = shown.edit(answer.fixes[0].edits) if answer and answer.fixes else None
        if edit is None:
            told = NOTHING_KNOWN if _is_last(answer) else STILL_LOOKING
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))
        return edit

    async def _reply(self, path: str, text: str, question: Question, seconds: float) -> Answer | None:
        """The answer to a question about a file, or what there is of it by then."""
        key = path, text, question
        if key not in self._replies:
            kept = {old: answer for old, answer in self._replies.items() if old[:2] == key[:2]}
            self._replies = kept | {key: None}
            self._folder_of(path).ask(path, question)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(lambda: key not in self._replies or _is_last(self._replies[key]))
        return self._replies.get(key)

    def _is_seen(self, path: str) -> bool:
        document = self.document(path)
        return document is not None and self._seen.get(path) == document.text

    def _texts(self, folder: Path) -> Texts:
        documents = [self.document(path) for path in self._open if self._root_of(path) == folder]
        return {document.path: document.text for document in documents if document and document.parts}

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
                root,
                self.configuration,
                lambda: self._texts(root),
                self._told,
                self.warn,
                lambda path: telling(self, path),
            )
        return self._folders[root]

    def _told(self, request: Request, answer: Answer) -> None:
        """A folder has an answer about a file."""
        path, text = request.file, request.texts[request.file]
        if path not in self._open:
            return
        if request.question is not None:
            if (path, text, request.question) in self._replies:
                self._replies[path, text, request.question] = answer
                self.later(self._wake())
            return
        self._seen[path] = text
        for complaint in answer.complaints:
            self.warn(complaint)
        for note in answer.notes:
            self.window_log_message(types.LogMessageParams(types.MessageType.Info, f"{path}: {note}"))
        self._broken.pop(path, None)
        if answer.is_known:
            self._answers[path] = text, answer
        elif answer.problems:
            self._broken[path] = text, answer
        self._show(path)
        self.later(self._notify())

    def _show(self, path: str) -> None:
        """Tell the editor what it does not ask for: the errors that are known, and why the text is no Python now."""
        every = [self._as_shown(path, answers) for answers in (self._answers, self._broken)]
        diagnostics: dict[Part, list[types.Diagnostic]] = {}
        for shown in filter(None, every):
            for part, own in shown.diagnostics(self.configuration).items():
                diagnostics.setdefault(part, []).extend(own)
        for part, told in diagnostics.items():
            self._published.setdefault(path, set()).add(part.uri)
            self._publish(part, told)

    def _publish(self, part: Part, diagnostics: list[types.Diagnostic]) -> None:
        params = types.PublishDiagnosticsParams(part.uri, diagnostics, part.version)
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
            self.look_at_all()
        for path in self._answers.keys() | self._broken.keys():
            self._show(path)
        if self._open:  # an editor that has not begun must not be asked anything
            self._refresh_hints()

    async def ask_configuration(self) -> None:
        """Ask the editor for settings, if it is one that is asked."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.configuration:
            items = [types.ConfigurationItem(section=SECTION)]
            with contextlib.suppress(PyglsError, asyncio.CancelledError):
                (settings,) = await self.workspace_configuration_async(types.ConfigurationParams(items))
                if settings:
                    await self.configure(settings)

    @property
    def resolves(self) -> bool:
        """Whether the editor asks for the edit of an action when the user chooses it."""
        document = self.client_capabilities.text_document
        support = document.code_action.resolve_support if document and document.code_action else None
        return support is not None and "edit" in support.properties

    def watch(self) -> None:
        """Have the editor tell of files that others change: a module, or a configuration."""
        workspace = self.client_capabilities.workspace
        files = workspace.did_change_watched_files if workspace else None
        if files and files.dynamic_registration:
            watchers = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(f"**/{name}") for name in WATCHED]
            )
            registration = types.Registration(
                "watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=watchers
            )
            self.client_register_capability(types.RegistrationParams([registration]), lambda _: None)

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
