"""The documentation about an error code, for editors to open."""

from __future__ import annotations

from pathlib import Path

import jaxtyping_core
from jaxtyping_core.evaluation.protocol import OWN_CODES

PACKAGE = Path(jaxtyping_core.__file__).parent
#: Where the page is: in what is installed, and in a clone.
PLACES = (PACKAGE / "docs" / "errors.md", PACKAGE.parent / "docs" / "errors.md")


def link_of(code: str | None) -> str | None:
    """The address of the section about a code of ours; None where there is none."""
    page = next((path for path in PLACES if path.is_file()), None)
    return f"{page.as_uri()}#{code}" if page and code in OWN_CODES else None
