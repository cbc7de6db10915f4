"""file: classes made from names and types that are objects with a say in it."""

import collections
import dataclasses


class Name:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        open("pwned_dataclass_names_" + self.name, "w").close()
        return self.name


Pair = collections.namedtuple(Name("Pair"), [Name("x"), Name("y")])
Config = dataclasses.make_dataclass("Config", [("x", int, dataclasses.field(default_factory=lambda: open("pwned_dataclass_names", "w")))])
c = Config()
