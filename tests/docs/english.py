"""Plain technical English, as far as a program can tell: short sentences, short paragraphs, and none of some phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

#: The longest sentence, in words, and the longest paragraph: four lines of 120 characters.
WORDS, CHARACTERS = 25, 480
#: Phrases that say something in a roundabout way, each with what to write instead.
PHRASES = {
    r"\bof (which|whom|what|those that)\b": "a relative clause with 'whose', or a sentence of its own",
    r", of (them|these|it)\b": "a sentence of its own",
    r"\bbeside\b": "'next to', or 'with'",
    r"\bbesides\b": "'also', or 'in addition to'",
    r"\b(is|are|was|were) (said|told)\b": "'reported', 'shown', or an actor who says it",
    r"(?<!there )\b(is|are) no (?!longer\b|more\b|different\b)\w+": "'is not a ...'",
    r"\bdo(es)? not do\b": "'fails', or 'doesn't work'",
    r"\bso (it is|is it|they are) with\b": "what happens, said again",
    r"\bit is looked\b|\bis gone\b|\bgone on from\b|\bgoes on from\b": "an actor and a verb",
    r"\bnothing is (taken|said|told|claimed|known of)\b": "what is unknown, or not reported",
    r"\b(a text|texts)\b": "'string'",
    r"\b(is|are|stays?|leaves?|left|remains?) open\b": "'unknown', or 'Any'",
    r"\b(this|that|these|those|them|it) alone\b": "'only'",
    r"\banew\b|\bthereof\b|\bwherein\b|\bof its kin\b|\band (its|their) kin\b": "'again', or a plain noun",
    r"\bgives? back\b|\bgave back\b": "'return'",
    r"\bwhat (it|they|that|a call|the call|a function|the function) gives?\b": "'result', or 'what ... returns'",
    r"\b(is|are) walked\b|\bwalks? (both|the bod)": "'evaluated'",
    r", for (it|they|there|mypy|pyright|a|the) \w+ (is|are|has|have|cannot|does)\b": "'because'",
    r"\bbut for\b": "'except'",
    r"\bif it is (a )?none\b|\bif there is one else\b": "a plain condition",
    r"\bas it is\b|\bas they are\b": "'unchanged'",
    r"\bwhere (it|that) is so\b|\bthat is so\b": "the condition itself",
    r"\bhas it that\b|\bhas room for\b": "a plain verb",
    r"\bin (their|its) own words\b": "an actor and a verb",
    r"\be\.g\.|\bi\.e\.|\betc\.": "'for example', 'that is'",
}
_PHRASES = [(re.compile(phrase, re.IGNORECASE), advice) for phrase, advice in PHRASES.items()]
#: Where a sentence ends. Another one may begin with a small letter: mypy, pyright.
_END = re.compile(r"(?<=[.!?])[\"')]?\s+")
_WORD = re.compile(r"[^\s]*\w[^\s]*")


def complaints(paragraph: str) -> Iterator[str]:
    """What is wrong with the text of a paragraph, in which code is between backticks."""
    text = " ".join(paragraph.split())
    if len(text) > CHARACTERS:
        yield f"a paragraph of {len(text)} characters (at most {CHARACTERS}): {text[:80]}..."
    without_code = re.sub(r"`[^`]*`", "CODE", text)
    for sentence in _END.split(without_code):
        if len(_WORD.findall(sentence)) > WORDS:
            yield f"a sentence of {len(_WORD.findall(sentence))} words (at most {WORDS}): {sentence}"
        if sentence.count(";") > 1:
            yield f"two semicolons in a sentence: {sentence}"
    for phrase, advice in _PHRASES:
        for match in phrase.finditer(without_code):
            around = without_code[max(0, match.start() - 40) : match.end() + 40]
            yield f"{match[0]!r}; write {advice}: ...{around}..."


class Paragraph(NamedTuple):
    """A paragraph, an item of a list or a cell of a table."""

    tag: str
    text: str


class _Paragraphs(HTMLParser):
    """Collects the paragraphs of a page; blocks of code are none."""

    BLOCKS = frozenset({"p", "li", "td", "th", "h1", "h2", "h3", "h4", "dt", "dd", "summary", "label"})
    SKIPPED = frozenset({"pre", "svg", "script", "style"})

    def __init__(self) -> None:
        super().__init__()
        self.paragraphs: list[Paragraph] = []
        self.text, self.tag, self.skipped = "", "p", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.SKIPPED:
            self.skipped += 1
        elif tag in self.BLOCKS or tag in ("ul", "ol", "table"):
            self.end()
            self.tag = tag
        elif tag == "code" and not self.skipped:
            self.text += "`"
        elif tag == "br":
            self.text += " "

    def handle_endtag(self, tag: str) -> None:
        if tag in self.SKIPPED:
            self.skipped -= 1
        elif tag in self.BLOCKS:
            self.end()
        elif tag == "code" and not self.skipped:
            self.text += "`"

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.text += data

    def end(self) -> None:
        if text := self.text.strip():
            self.paragraphs.append(Paragraph(self.tag, text))
        self.text = ""


def paragraphs(html: str) -> list[Paragraph]:
    """The paragraphs, items, cells and headings of a page."""
    parser = _Paragraphs()
    parser.feed(html)
    parser.end()
    return parser.paragraphs
