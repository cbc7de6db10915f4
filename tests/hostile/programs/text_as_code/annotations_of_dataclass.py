"""file: a field is called like code: dataclasses puts its name into the text of __init__."""

import dataclasses


class Point:
    x: int = 0


NAME = "x=__import__('os').mkdir('pwned_annotations_of_dataclass'),*y"
Point.__annotations__ = {NAME: int}
setattr(Point, NAME, dataclasses.field(init=False, repr=False, compare=False))
made = dataclasses.dataclass(Point, eq=False, repr=False)
