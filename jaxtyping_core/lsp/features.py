"""The features of the server: what it does when an editor asks or tells something."""

from __future__ import annotations

from lsprotocol import types

from jaxtyping_core.lsp.documents import path_of_notebook
from jaxtyping_core.lsp.server import Server


def _is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether an editor asks for actions of a kind: for all, for this one, or for one above it."""
    return context.only is None or any(f"{kind}.".startswith(f"{each}.") for each in context.only)


def _lines(where: types.Range) -> range:
    """The lines of a document that a range touches."""
    return range(where.start.line, where.end.line + 1)


def make_server() -> Server:
    """A server with all that it answers."""
    server = Server()

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        ls.watch()
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
        ls.look(ls.path_of(params.text_document.uri), params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.look(ls.path_of(params.text_document.uri), params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.look_again(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.forget(ls.path_of(params.text_document.uri))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
        ls.edited(params.notebook_document.uri, [])

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        if cells is not None:  # what is run changes nothing
            texts = [change.document.uri for change in cells.text_content or ()]
            if texts or cells.structure:
                ls.edited(params.notebook_document.uri, texts)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
        ls.forget(path_of_notebook(params.notebook_document.uri))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def others_changed(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        if any(not ls.is_open(change.uri) for change in params.changes):
            ls.look_at_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(ls: Server, _: types.DidChangeWorkspaceFoldersParams) -> None:
        await ls.close_folders()
        ls.look_at_all()

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        await ls.settled(uri)
        shown = ls.shown(uri)
        return shown.inlay_hints(uri, _lines(params.range), ls.configuration) if shown else []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        uri, at = params.text_document.uri, params.position
        shown = ls.shown(uri)
        if shown is None or all(part.uri != uri for part in shown.now.parts):  # a cell that is no Python, say
            return None
        return shown.hover(shown.now.line(uri, at.line), at.character)

    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    async def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, lines = params.text_document.uri, _lines(params.range)
        quick, rewrite = (_is_wanted(kind, params.context) for kind in kinds)
        fixes = await ls.fixes(uri, lines) if quick else ()
        shown = ls.shown(uri)
        if shown is None:
            return []
        written = [*shown.actions(uri, lines), *(shown.annotatable(uri, lines) if ls.resolves else ())]
        return [*shown.quick_fixes(fixes), *(written if rewrite else ())]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolved(ls: Server, action: types.CodeAction) -> types.CodeAction:
        if action.edit is None and isinstance(action.data, dict):
            action.edit = await ls.annotations(action.data["uri"], action.data["line"])
        return action

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: Server, _: None) -> None:
        await ls.close_folders()

    return server
