"""What the mypy plugin takes ``{"w": w, "b": b}`` and ``[w, b]`` for; no program names these.

`Items` says what is known under each key or at each place, `Keys` which keys there are and no others. Both are
covariant, so that what two branches know differently of a dict is not known after them.
"""

from typing import Generic, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")
_Items_co = TypeVar("_Items_co", covariant=True)
_Keys_co = TypeVar("_Keys_co", covariant=True)

class DictDisplay(dict[_K, _V], Generic[_K, _V, _Items_co, _Keys_co]): ...
class ListDisplay(list[_V], Generic[_V, _Items_co]): ...
