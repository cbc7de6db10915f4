"""A small client of language servers: what an editor asks, over standard input and output."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

#: Where the cursor is in the text of a document.
CURSOR = "^"
SECONDS = 120.0


class Document(NamedTuple):
    """A document that the server has been shown, and a place in it."""

    uri: str
    line: int
    character: int

    @property
    def place(self) -> dict[str, Any]:
        position = {"line": self.line, "character": self.character}
        return {"textDocument": {"uri": self.uri}, "position": position}


#: The tag of what is deprecated.
_CROSSED_OUT = 2


class LanguageServer:
    """A running language server, for the documents of one folder.

    Args:
        command: what starts it.
        folder: the project.
        python: the interpreter whose packages the documents use.
        seconds: how long an answer may take.
    """

    def __init__(self, command: str, folder: Path, python: str, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self.folder = folder
        self.python = python
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.published: dict[str, list[dict[str, Any]]] = {}
        self._numbers = itertools.count(1)
        self._process = subprocess.Popen(
            [command, "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # it starts another process, which must end with it
        )
        threading.Thread(target=self._listen, daemon=True).start()
        capabilities = {
            "textDocument": {
                "hover": {"contentFormat": ["plaintext"]},
                "publishDiagnostics": {"tagSupport": {"valueSet": [_CROSSED_OUT]}},
            },
            "workspace": {"configuration": True, "workspaceFolders": True},
        }
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "workspaceFolders": folders,
                "capabilities": capabilities,
            },
        )
        self.notify("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.killpg(self._process.pid, 9)
        self._process.wait()

    def open(self, name: str, text: str) -> Document:
        """Show the server a document whose text has a cursor in it; the server has then checked it."""
        before, _, after = text.partition(CURSOR)
        path = self.folder / name
        path.write_text(before + after)
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": before + after}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self._wait(lambda: path.as_uri() in self.published)
        return Document(path.as_uri(), before.count("\n"), len(before.rpartition("\n")[2]))

    def close(self, document: Document) -> None:
        """Close a document, which the server then forgets."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})

    def hover(self, document: Document) -> str:
        """The text that appears at the cursor."""
        answer = self.request("textDocument/hover", document.place)
        return str(answer["contents"]["value"]) if answer else ""

    def completions(self, document: Document) -> list[str]:
        """The words that the server offers at the cursor."""
        answer = self.request("textDocument/completion", document.place)
        items = answer["items"] if isinstance(answer, Mapping) else answer or []
        return [item["label"] for item in items]

    def signatures(self, document: Document) -> list[str]:
        """The signatures of the call that the cursor is in."""
        answer = self.request("textDocument/signatureHelp", document.place)
        return [signature["label"] for signature in answer["signatures"]] if answer else []

    def errors(self, document: Document) -> list[str]:
        """The messages of the errors in a document."""
        return [error["message"] for error in self.published[document.uri] if error.get("severity") == 1]

    def crossed_out(self, document: Document) -> list[str]:
        """Why parts of a document are shown as crossed out."""
        diagnostics = self.published[document.uri]
        return [
            diagnostic["message"] for diagnostic in diagnostics if _CROSSED_OUT in diagnostic.get("tags", ())
        ]

    def request(self, method: str, parameters: Mapping[str, Any]) -> Any:
        """The answer to a request.

        Raises:
            TimeoutError: there is none.
            RuntimeError: the server refuses, or has ended.
        """
        number = next(self._numbers)
        self._send({"id": number, "method": method, "params": parameters})
        answers: list[dict[str, Any]] = []
        self._wait(lambda: bool(answers), lambda message: answers.append(message), number)
        if "error" in answers[0]:
            raise RuntimeError(f"{method}: {answers[0]['error']}")
        return answers[0].get("result")

    def notify(self, method: str, parameters: Mapping[str, Any]) -> None:
        """Tell the server something that it does not answer."""
        self._send({"method": method, "params": parameters})

    def _wait(self, done: Any, answered: Any = None, number: int | None = None) -> None:
        deadline = time.monotonic() + self.seconds
        while not done():
            try:
                message = self.messages.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise TimeoutError("the language server does not answer") from None
            if message is None:
                raise RuntimeError("the language server has ended")
            if "method" in message:
                self._serve(message)
            elif answered and message.get("id") == number:
                answered(message)

    def _serve(self, message: Mapping[str, Any]) -> None:
        """What the server asks or tells by itself."""
        parameters = message.get("params") or {}
        if message["method"] == "textDocument/publishDiagnostics":
            self.published[parameters["uri"]] = parameters["diagnostics"]
        if "id" in message:
            asked = message["method"] == "workspace/configuration"
            answer = (
                [self._settings(item.get("section", "")) for item in parameters["items"]] if asked else None
            )
            self._send({"id": message["id"], "result": answer})

    def _settings(self, section: str) -> dict[str, Any]:
        return {"pythonPath": self.python} if section == "python" else {}

    def _send(self, message: Mapping[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self._process.stdin.flush()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while header := stream.readline():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif not header.strip():
                content = stream.read(length)
                if len(content) < length:  # the server ended in the middle of a message
                    break
                self.messages.put(json.loads(content))
        self.messages.put(None)
