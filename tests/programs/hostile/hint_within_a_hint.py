"""file: Flax evaluates a text within an annotation, which `typing` keeps as it is."""

from typing import Optional

from flax import nnx


class Model(nnx.Module):
    size: Optional["open('pwned_hint_within_a_hint', 'w')"] = None


model = Model()
