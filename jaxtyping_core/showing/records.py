"""What is known as JSON, for other programs: one object a line, one for each file."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from jaxtyping_core.showing.listing import Listing


def record(listing: Listing) -> str:
    """The line for a file."""
    places = [_without_file(place.as_json()) for place in listing.places]
    errors = [_without_file(asdict(refusal)) for refusal in listing.refusals]
    return json.dumps({"file": listing.file, "places": places, "refusals": errors})


def _without_file(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "file"}
