"""file: `exec`, which an enumeration hands out, is the key of groups."""

import itertools
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_groupby', 'w').close()"

x = [key for key, _ in itertools.groupby([CODE], run)]
