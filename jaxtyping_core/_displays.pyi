"""What the mypy plugin takes ``{"w": w, "b": b}`` and ``[w, b]`` for; no program names these.

The same that a call has given is known from evaluation only: no annotation says so, and mypy alone takes it for Any. It
fits all that Any fits (a TypedDict, ``dict[str, object]``), for it has a base class of which nothing is known.

`Items` says what is known under each key or at each place, `Number` how many keys there are, if there are no others. Both are
covariant, so that what two branches know differently of a dict is not known after them.
"""

from typing import Any, Generic, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")
_Items_co = TypeVar("_Items_co", covariant=True)
_Number_co = TypeVar("_Number_co", covariant=True)

class DictDisplay(dict[_K, _V], Generic[_K, _V, _Items_co, _Number_co]): ...
class ListDisplay(list[_V], Generic[_V, _Items_co]): ...
class DictResult(DictDisplay[_K, _V, _Items_co, _Number_co], Any): ...  # type: ignore[misc]  # Any is what makes it fit
class ListResult(ListDisplay[_V, _Items_co], Any): ...  # type: ignore[misc]  # Any is what makes it fit
