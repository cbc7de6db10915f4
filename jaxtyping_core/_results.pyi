"""What the mypy plugin takes a dict or a list for that a call has given; no program names these.

Such a one is known from evaluation only: no annotation says so, and mypy alone takes it for Any. It fits all that Any fits (a
TypedDict, ``dict[str, object]``), for it has a base class of which nothing is known.
"""

from typing import Any, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

class DictResult(dict[_K, _V], Any): ...  # type: ignore[misc]  # Any is what makes it fit
class ListResult(list[_V], Any): ...  # type: ignore[misc]  # Any is what makes it fit
