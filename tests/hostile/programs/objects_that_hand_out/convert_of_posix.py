"""file: those of posix, of which one is called by a key."""

import enum


class Kind(enum.IntFlag):
    pass


Found = Kind._convert_("Found", "posix", lambda name: name == "mkdir")
names = ["pwned_convert_of_posix"]
names.sort(key=getattr(Found, "mkdir").value)
