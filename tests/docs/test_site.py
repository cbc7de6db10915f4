"""The site builds without a warning, and what names its address names the same."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify
from mkdocs.config import load_config

from docs.pages import ALONE, DOCS, ROOT, name
from jaxtyping_core import pages
from jaxtyping_core.cli.listing import COMMANDS
from jaxtyping_core.evaluation.protocol import OWN_CODES

pytestmark = pytest.mark.one_python

CONFIG = load_config(str(ROOT / "mkdocs.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\((?P<target>[^)\s]+)\)|!\[[^\]]*\]\((?P<picture>[^)\s]+)\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built: a link, an anchor or a page that nothing leads to is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_site_builds(site: Path) -> None:
    assert (site / "index.html").is_file()
    assert (site / "search" / "search_index.json").is_file()


def test_a_page_asks_no_other_host(site: Path) -> None:
    asked = re.compile(
        r'(?:<script[^>]* src|<link[^>]*rel="stylesheet"[^>]* href|<img[^>]* src)="(https?:[^"]+)"'
    )
    assert not {address for page in site.rglob("*.html") for address in asked.findall(page.read_text())}


def test_no_cell_shows_an_escaped_bar(site: Path) -> None:
    """In a table GitHub needs `\\|` in code, which the site would show as it stands; `&#124;` is right in both."""
    assert not [
        page for page in site.rglob("*.html") if re.search(r"<td>[^\n]*<code>[^<]*\\\|", page.read_text())
    ]


def test_addresses_are_the_same() -> None:
    extension = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    assert pages.DOCS == CONFIG["site_url"] == PROJECT["urls"]["Documentation"]
    assert extension["homepage"] == pages.page("how-to/editor")
    repository = PROJECT["urls"]["Repository"]
    assert repository == CONFIG["repo_url"] == extension["repository"]["url"].removesuffix(".git")


def test_pages_that_messages_name_exist() -> None:
    named = {
        match[1]
        for folder in ("jaxtyping_core", "mypy_plugin")
        for file in (ROOT / folder).rglob("*.py")
        for match in re.finditer(r'\bpage\(\s*f?"([^"]+)"', file.read_text())
    }
    named |= {command.page for command in COMMANDS.values()}
    assert len(named) > 10
    for address in named:
        path, _, anchor = address.partition("#")
        if "{" not in address:
            file = DOCS / f"{path}.md"
            text = (file if file.exists() else DOCS / path / "index.md").read_text()
            assert not anchor or anchor in anchors(text), address


@pytest.mark.parametrize("page", ALONE, ids=name)
def test_links_of_other_pages(page: Path) -> None:
    text = page.read_text()
    for match in LINK.finditer(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)):
        target = match["target"] or match["picture"]
        path, _, anchor = target.removeprefix(pages.DOCS).partition("#")
        if target.startswith(pages.DOCS):
            file = DOCS / f"{path.rstrip('/') or 'index'}.md" if match["target"] else DOCS / path
        elif re.match(r"\w+:", target):
            continue
        else:
            file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or file.suffix != ".md" or anchor in anchors(file.read_text()), target


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    without_code = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return {
        slugify(re.sub(r"[`*]", "", line), "-")
        for line in re.findall(r"^#+ (.+)$", without_code, re.MULTILINE)
    }


def test_each_code_has_a_page() -> None:
    folder = DOCS / "reference" / "codes"
    assert {page.stem for page in folder.glob("*.md")} == {"index", *OWN_CODES}


def test_commands_are_current() -> None:
    written = runpy.run_path(str(DOCS / "commands.py"))["page"]()
    page = DOCS / "reference" / "commands.md"
    assert page.read_text(encoding="utf-8") == written, "python docs/commands.py writes the page"
