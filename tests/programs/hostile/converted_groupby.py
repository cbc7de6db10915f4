"""file: `open`, which an enumeration hands out, is the key of groups."""

import functools
import itertools
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_groupby"

x = [key for key, _ in itertools.groupby([PATH], functools.partial(run, mode="w"))]
