"""file: Flax evaluates a text in the arguments of a generic type."""

import typing

from flax import nnx


class Model(nnx.Module):
    layers: typing.List["[open('pwned_hint_in_a_list', 'w')]"]


model = Model()
