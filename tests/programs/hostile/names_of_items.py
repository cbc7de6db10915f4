"""file: names of fields are code, in annotations to which an item is added."""

import dataclasses


class Config:
    size: int = 3


NAME = "x=open('pwned_names_of_items', 'w'), *y"
Config.__annotations__[NAME] = int
setattr(Config, NAME, dataclasses.field(init=False, repr=False, compare=False))
Config = dataclasses.dataclass(Config, eq=False, repr=False)
