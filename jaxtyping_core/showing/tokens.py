"""The source of a program in tokens, which the terminal and the page give their colours."""

from __future__ import annotations

from typing import NamedTuple

from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

#: The kinds of tokens that are shown in colours, the first that fits.
KINDS = {
    Comment: "comment",
    String.Doc: "comment",
    String: "string",
    Number: "number",
    Keyword: "keyword",
    Operator.Word: "keyword",
    Name.Decorator: "decorator",
    Name.Function: "defined",
    Name.Class: "defined",
}


class Token(NamedTuple):
    """A part of a line; `kind` is one of `KINDS` or empty."""

    kind: str
    text: str


def highlight(text: str) -> list[list[Token]]:
    """The lines of Python source, each in its tokens."""
    lines: list[list[Token]] = [[]]
    for kind, written in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        name = next((name for token, name in KINDS.items() if kind in token), "")
        for i, part in enumerate(written.split("\n")):
            if i:
                lines.append([])
            if part:
                lines[-1].append(Token(name, part))
    return lines
