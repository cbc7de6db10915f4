"""file: type itself makes the class whose names are code, and dataclasses reads it."""

import dataclasses

NAME = "x=__import__('os').mkdir('pwned_metaclass_names'),*y"
body = {"__annotations__": {NAME: int}, NAME: dataclasses.field(init=False)}
made = dataclasses.dataclass(type("Made", (), body), repr=False, eq=False)
