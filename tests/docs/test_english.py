"""What people read is plain technical English: the pages, the help, and the docstrings of public modules."""

from __future__ import annotations

import ast
import functools
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import markdown
import pytest
from mkdocs.config import load_config

from docs.english import complaints, paragraphs
from docs.pages import ALONE, DOCS, ROOT, SITE, name

pytestmark = pytest.mark.one_python

#: Tables that a program writes from JAX's names, after their introductions.
GENERATED = {"docs/reference/functions.md": "## `jax"}
#: What users import; everything else is for contributors.
PUBLIC = [
    ROOT / "jaxtyping_core" / name
    for name in (
        "__init__.py",
        "dtypes.py",
        "errors.py",
        "lattice.py",
        "mypy.py",
        "promotion.py",
        "typing.py",
        "numpy/__init__.py",
        "systems/__init__.py",
        "systems/jax.py",
        "systems/others.py",
        "_annotations/array.py",
        "_annotations/inputs.py",
    )
]


@functools.cache
def to_html(text: str) -> str:
    """A page as the site shows it, without what it says to the site."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    config = load_config(str(ROOT / "mkdocs.yml"))
    return markdown.markdown(
        text, extensions=config["markdown_extensions"], extension_configs=config["mdx_configs"]
    )


@pytest.mark.parametrize("page", [*SITE, *ALONE], ids=name)
def test_pages(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if until := GENERATED.get(name(page)):
        text = text.partition(until)[0]
    wrong = [complaint for part in paragraphs(to_html(text)) for complaint in complaints(part.text)]
    assert not wrong, "\n".join(wrong)


def test_help() -> None:
    commands = runpy.run_path(str(DOCS / "commands.py"))["visible_commands"]()
    texts = [
        (command_name, text)
        for command_name, command in commands.items()
        for text in (command.help, *(item.help for item in command.params if getattr(item, "help", None)))
    ]
    assert len(texts) > 40
    assert not [
        f"{command}: {complaint}"
        for command, text in texts
        for part in text.split("\n\n")
        for complaint in complaints(part)
    ]


@pytest.mark.parametrize("file", PUBLIC, ids=name)
def test_docstrings(file: Path) -> None:
    wrong = [
        f"{where}: {complaint}"
        for where, docstring in docstrings(file)
        for part in re.split(r"\n\s*\n", docstring)
        if not part.lstrip().startswith((">>>", "::"))
        for complaint in complaints(part.replace("``", "`"))
    ]
    assert not wrong, "\n".join(wrong)


def docstrings(file: Path) -> Iterator[tuple[str, str]]:
    """The docstrings of a module and of its public classes and functions, each with where it stands."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            title = getattr(node, "name", "module")
            if not title.startswith("_") and (docstring := ast.get_docstring(node)):
                yield f"{file.name}:{title}", docstring


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{'word ' * 26}.", "a sentence of 26 words"),
        (f"{'word ' * 25}. Other.", None),
        ("Short. " * 80, "a paragraph of"),
        ("Of which the dtype is known.", "write a relative clause"),
        ("Of `which` the dtype is known.", None),
        ("There is no limit.", None),
        ("This is no array.", "is not a"),
        ("`a` is true; `b` is false; `c` is not known.", "two semicolons"),
    ],
)
def test_complaints(text: str, complaint: str | None) -> None:
    wrong = list(complaints(text))
    assert (complaint is None and not wrong) or (complaint and complaint in wrong[0])


def test_paragraphs_of_a_page() -> None:
    page = "# A\n\nOne `code`.\n\n!!! note\n\n    Two.\n\n| a | b |\n|---|---|\n| c | d |\n\n```python\nx\n```\n\n- e\n- f\n"
    assert [part.text for part in paragraphs(to_html(page))][1:] == [
        *("One `code`.", "Note", "Two.", "a", "b", "c", "d", "e", "f"),
    ]
