"""Where the documentation is: the address that help and messages name."""

from __future__ import annotations

#: The site of the released documentation; pyproject.toml and mkdocs.yml have the same address.
DOCS = "https://jaxtyping-core.readthedocs.io/en/stable/"


def page(path: str) -> str:
    """The address of a page: `page("how-to/ci")`, or of a section, `page("how-to/ci#formats")`."""
    name, mark, section = path.partition("#")
    return f"{DOCS}{name}/{mark}{section}"
