"""An editor: a real client of the protocol, whose answers tests wait for."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pytest_lsp import LanguageClient, make_test_lsp_client

T = TypeVar("T")
#: Seconds until a test gives up: a busy machine needs some for the first answer.
LONGEST = 60.0
EVERYTHING = types.Range(types.Position(0, 0), types.Position(1_000_000, 0))


class Editor:
    """Speaks with a server that it has started.

    Args:
        folders: those of the workspace.
        settings: what the user has set.
        variables: of the server's environment.
    """

    def __init__(self, *folders: Path, settings: dict[str, Any] | None = None, **variables: str) -> None:
        self._runner = asyncio.Runner()
        self._versions: dict[str, int] = {}
        self.client = self._run(self._started(folders, settings, variables))

    async def _started(
        self, folders: Sequence[Path], settings: dict[str, Any] | None, variables: dict[str, str]
    ) -> LanguageClient:
        client = make_test_lsp_client()
        self.refreshed = 0

        @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh(_: None) -> None:
            self.refreshed += 1

        command = [sys.executable, "-P", "-m", "jaxtyping_core", "lsp"]
        # In a group of its own: a signal to the group of the server is none to the tests.
        await client.start_io(*command, env={**os.environ, **variables}, start_new_session=True)
        hints = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        await client.initialize_session(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(
                    workspace=types.WorkspaceClientCapabilities(inlay_hint=hints),
                    text_document=types.TextDocumentClientCapabilities(
                        code_action=types.CodeActionClientCapabilities(
                            resolve_support=types.ClientCodeActionResolveOptions(["edit"])
                        )
                    ),
                    window=types.WindowClientCapabilities(work_done_progress=True),
                ),
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
                initialization_options=settings,
            )
        )
        return client

    def _run(self, work: Any) -> Any:
        return self._runner.run(asyncio.wait_for(work, LONGEST))

    def close(self) -> int | None:
        """Shut the server down; its exit status."""
        process = self.client._server
        self._run(self.client.shutdown_session())
        status = None if process is None else self._run(process.wait())
        self._runner.close()
        return status

    def open(self, file: Path, text: str | None = None) -> None:
        """Open a file, with another text than that on the disk perhaps."""
        self._versions[file.as_uri()] = 1
        item = types.TextDocumentItem(file.as_uri(), "python", 1, file.read_text() if text is None else text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def edit(self, file: Path, text: str) -> None:
        """Change the text of a file, without saving it."""
        uri = file.as_uri()
        self._versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def open_notebook(self, file: Path, cells: Sequence[str]) -> list[Path]:
        """Open a notebook; the files that its cells are called like."""
        uris = [f"{file.as_uri()}/{number}.py" for number in range(len(cells))]
        made = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in uris]
        notebook = types.NotebookDocument(file.as_uri(), "jupyter-notebook", 1, made)
        items = [
            types.TextDocumentItem(uri, "python", 1, text) for uri, text in zip(uris, cells, strict=True)
        ]
        self.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))
        self._versions |= dict.fromkeys([*uris, file.as_uri()], 1)
        return [file / f"{number}.py" for number in range(len(cells))]

    def edit_cell(self, cell: Path, text: str) -> None:
        """Change the text of a cell."""
        self._versions[cell.as_uri()] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[cell.as_uri()], cell.as_uri())
        content = types.NotebookDocumentCellContentChanges(
            document, [types.TextDocumentContentChangeWholeDocument(text)]
        )
        change = types.NotebookDocumentChangeEvent(
            cells=types.NotebookDocumentCellChanges(text_content=[content])
        )
        self._change_notebook(cell.parent, change)

    def remove_cell(self, cell: Path, index: int) -> None:
        """Take a cell out of its notebook."""
        array = types.NotebookCellArrayChange(index, 1, [])
        structure = types.NotebookDocumentCellChangeStructure(
            array, did_close=[types.TextDocumentIdentifier(cell.as_uri())]
        )
        change = types.NotebookDocumentChangeEvent(
            cells=types.NotebookDocumentCellChanges(structure=structure)
        )
        self._change_notebook(cell.parent, change)

    def _change_notebook(self, file: Path, change: types.NotebookDocumentChangeEvent) -> None:
        self._versions[file.as_uri()] += 1
        notebook = types.VersionedNotebookDocumentIdentifier(self._versions[file.as_uri()], file.as_uri())
        self.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(notebook, change))

    def shut(self, file: Path) -> None:
        """Close a file."""
        document = types.TextDocumentIdentifier(file.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def set(self, settings: dict[str, Any]) -> None:
        """Change the user's settings."""
        self.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))

    def hints(self, file: Path) -> list[tuple[int, str]]:
        """The hints of a file now, each with its line, counted from 1."""
        return [(hint.position.line + 1, str(hint.label)) for hint in self.inlay_hints(file)]

    def inlay_hints(self, file: Path) -> Sequence[types.InlayHint]:
        """The hints of a file now, as they are sent."""
        params = types.InlayHintParams(types.TextDocumentIdentifier(file.as_uri()), EVERYTHING)
        return self._run(self.client.text_document_inlay_hint_async(params)) or []

    def hover(self, file: Path, line: int, column: int) -> str:
        """What hovering says; the line counts from 1, the column from 0."""
        position = types.Position(line - 1, column)
        params = types.HoverParams(types.TextDocumentIdentifier(file.as_uri()), position)
        hover = self._run(self.client.text_document_hover_async(params))
        return hover.contents.value if hover else ""

    def actions(self, file: Path, line: int) -> dict[str, types.CodeAction]:
        """The actions in a line, by their titles."""
        at = types.Range(types.Position(line - 1, 0), types.Position(line - 1, 0))
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(file.as_uri()), at, types.CodeActionContext([])
        )
        actions = self._run(self.client.text_document_code_action_async(params)) or []
        return {action.title: action for action in actions}

    def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """An action as the user chooses it."""
        return self._run(self.client.code_action_resolve_async(action))

    def diagnostics(self, file: Path) -> Sequence[types.Diagnostic] | None:
        """The last diagnostics of a file; None if there were none yet."""
        self.rest(0.05)
        return self.client.diagnostics.get(file.as_uri())

    def rest(self, seconds: float) -> None:
        """Only listen."""
        self._run(asyncio.sleep(seconds))

    def until(self, ask: Callable[[], T], is_right: Callable[[T], bool], longest: float = LONGEST) -> T:
        """Ask until the answer is right."""
        end = time.monotonic() + longest
        while not is_right(answer := ask()):
            assert time.monotonic() < end, f"still {answer!r}"
            self.rest(0.1)
        return answer


def edited(text: str, action: types.CodeAction, file: Path) -> list[str]:
    """The lines of a text after an action."""
    assert action.edit is not None
    assert action.edit.changes is not None
    for edit in reversed(action.edit.changes[file.as_uri()]):
        starts = [0, *itertools.accumulate(map(len, text.splitlines(keepends=True)))]
        start, end = (starts[at.line] + at.character for at in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text.splitlines()
