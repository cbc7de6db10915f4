"""file: those of posix, of which one is called by a key."""

import enum


class Kind(enum.IntFlag):
    pass


Found = enum.Enum._convert_("Found", "posix", lambda name: name == "mkdir")
names = ["pwned_convert_of_posix"]
names.sort(key=Found["mkdir"].value)
