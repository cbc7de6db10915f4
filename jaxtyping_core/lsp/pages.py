"""The documentation about an error code, for editors to open."""

from __future__ import annotations

from jaxtyping_core.evaluation.protocol import OWN_CODES
from jaxtyping_core.pages import page_of_code


def link_of(code: str | None) -> str | None:
    """The address of the page about a code of ours; None where there is none."""
    page = page_of_code(code) if code in OWN_CODES else None
    return page.as_uri() if page else None
