"""file: names of fields are code, in annotations that are assigned to a class."""

import dataclasses

import flax.struct


class State:
    pass


NAME = "x=open('pwned_names_assigned', 'w'), *y"
State.__annotations__ = {NAME: int}
setattr(State, NAME, dataclasses.field(init=False, repr=False, compare=False))
State = flax.struct.dataclass(State, eq=False, repr=False)
