"""file: `open`, which an enumeration hands out, is the key of a heap."""

import functools
import heapq
import enum


class Empty(enum.Enum):
    pass


run = Empty._convert_("Found", "io", lambda name: name == "open")["open"].value
PATH = "pwned_converted_nsmallest"

x = heapq.nsmallest(1, [PATH], key=functools.partial(run, mode="w"))
