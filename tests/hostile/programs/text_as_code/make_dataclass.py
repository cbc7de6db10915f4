"""file: make_dataclass with the namespace of another class."""

import dataclasses

key = "x=__import__('os').mkdir('pwned_make_dataclass'),*y"


class Base:
    pass


Base.__annotations__ = {key: int}
setattr(Base, key, dataclasses.field(init=False, repr=False))
x = dataclasses.make_dataclass("X", [("a", "__import__('os').mkdir('pwned_other')", 1)])
y = dataclasses.dataclass(Base, repr=False, eq=False)
