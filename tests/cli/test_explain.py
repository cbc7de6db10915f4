"""``jaxtyping-core explain``: the pages about error codes, on a terminal and in a pipe."""

from __future__ import annotations

import io
import re

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from jaxtyping_core import pages
from jaxtyping_core.cli import explain
from jaxtyping_core.cli.app import app
from jaxtyping_core.evaluation.protocol import OWN_CODES

ROOT = pages.PACKAGE.parent


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["explain", *arguments])


@pytest.mark.parametrize("code", sorted(OWN_CODES))
def test_a_page(code: str) -> None:
    done = run(code)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"# {code}\n")
    for heading in ("A program that fails", "The corrected program", "When it is not reported", "Silence it"):
        assert f"\n## {heading}\n" in done.stdout
    assert f"[{code}]" in done.stdout
    assert "title=" not in done.stdout


@pytest.mark.parametrize("code", sorted(OWN_CODES))
def test_links_are_those_of_the_site(code: str) -> None:
    """Each leads to a file of the documentation."""
    links = re.findall(r"\]\(([^)]*)\)", run(code).stdout)
    assert links
    for link in links:
        assert link.startswith(pages.DOCS)
        name = link.removeprefix(pages.DOCS).partition("#")[0].rstrip("/")
        assert any((ROOT / "docs" / f"{name}{end}").is_file() for end in (".md", "/index.md")), link


def test_no_code() -> None:
    done = run()
    assert done.exit_code == 0
    lines = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    assert [code for code, _ in lines] == sorted(OWN_CODES)
    assert all(sentence[0].isupper() and sentence.endswith(".") for _, sentence in lines)


@pytest.mark.parametrize("code", ["array-shap", "return-value", "../index", ""])
def test_an_unknown_code(code: str) -> None:
    done = run(code)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"jaxtyping-core: unknown error code {code!r}; ")
    assert all(known in done.stderr for known in OWN_CODES)


def test_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Headings, tables and blocks are drawn, not written."""
    screen = io.StringIO()
    monkeypatch.setattr(explain, "make_console", lambda: Console(file=screen, force_terminal=True, width=100))
    assert run("array-shape").stdout == ""
    text = re.sub(r"\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\", "", screen.getvalue())
    assert "array-shape" in text
    assert "return jnp.tanh(x @ w + b)" in text
    assert "```" not in text
    assert "| --- |" not in text


def test_a_page_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PLACES", ())
    done = run("donated")
    assert done.exit_code == 2
    assert done.stderr.endswith(f"{pages.page('reference/codes/donated')}\n")
