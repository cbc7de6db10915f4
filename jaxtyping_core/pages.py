"""Where the documentation is: the address that help and messages name, and the pages about error codes that are installed."""

from __future__ import annotations

import re
from pathlib import Path

#: The site of the released documentation; pyproject.toml and mkdocs.yml have the same address.
DOCS = "https://jaxtyping-core.readthedocs.io/en/stable/"
PACKAGE = Path(__file__).parent
#: The folder of the pages about error codes, as part of the site.
CODES = "reference/codes"
#: Where that folder is: in what is installed, and in a clone.
PLACES = (PACKAGE / "docs" / "codes", PACKAGE.parent / "docs" / CODES)


def page(path: str) -> str:
    """The address of a page: `page("how-to/ci")`, or of a section, `page("how-to/ci#github")`."""
    name, mark, section = path.partition("#")
    return f"{DOCS}{name}/{mark}{section}"


def page_of_code(code: str) -> Path | None:
    """The file about an error code; None where it is not installed."""
    return next((file for folder in PLACES if (file := folder / f"{code}.md").is_file()), None)


def summary_of_code(code: str) -> str | None:
    """The first sentence of the page about an error code; None where it is not installed."""
    file = page_of_code(code)
    return None if file is None else first_sentence(file.read_text(encoding="utf-8"))


def first_sentence(text: str) -> str:
    """The first sentence below the title of a page."""
    paragraph = " ".join(text.split("\n\n")[1].split())
    return re.split(r"(?<=\.) ", paragraph, maxsplit=1)[0]
