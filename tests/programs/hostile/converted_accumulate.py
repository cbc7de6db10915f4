"""file: `exec`, which an enumeration hands out, is called by itertools."""

import itertools
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_accumulate', 'w').close()"

x = list(itertools.accumulate([CODE, {}], run))
