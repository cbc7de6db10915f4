"""file: `open`, which an enumeration hands out, makes the value of a field."""

import dataclasses
import functools
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_factory"


@dataclasses.dataclass
class Config:
    x: object = dataclasses.field(default_factory=functools.partial(run, PATH, "w"))


config = Config()
