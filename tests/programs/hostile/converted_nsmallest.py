"""file: `exec`, which an enumeration hands out, is the key of a heap."""

import heapq
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "builtins", lambda name: name in ("exec", "len"))["exec"].value
CODE = "open('pwned_converted_nsmallest', 'w').close()"

x = heapq.nsmallest(1, [CODE], key=run)
