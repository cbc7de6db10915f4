"""file: `exec`, which an enumeration hands out, makes the value of a field."""

import dataclasses
import functools
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_factory', 'w').close()"


@dataclasses.dataclass
class Config:
    x: object = dataclasses.field(default_factory=functools.partial(run, CODE))


config = Config()
