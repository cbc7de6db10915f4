"""file: `open`, which an enumeration hands out, is called by itertools."""

import itertools
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_accumulate"

x = list(itertools.accumulate([PATH, "w"], run))
