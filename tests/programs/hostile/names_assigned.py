"""file: names of fields are code, in annotations that are assigned to a class."""

import flax.struct


class State:
    pass


NAME = "x=open('pwned_names_assigned', 'w'), *y"
State.__annotations__ = {NAME: int}
setattr(State, NAME, None)
State = flax.struct.dataclass(State)
