"""The documentation about an error code, for editors to open."""

from __future__ import annotations

from jaxtyping_core.evaluation.protocol import OWN_CODES
from jaxtyping_core.pages import page, page_of_code


def link_of(code: str | None) -> str | None:
    """The address of the page about a code of ours, a file where it is installed; None for other codes."""
    if code not in OWN_CODES:
        return None
    file = page_of_code(code)
    return file.as_uri() if file else page(f"reference/codes/{code}")
