"""file: enumerations without a guard to put off: the file is made by a default factory."""

import collections
import enum
import functools


class Kind(enum.StrEnum):
    pass


opened = getattr(Kind._convert_("Opened", "io", lambda name: name == "open"), "open").value
made = collections.defaultdict(functools.partial(opened, "pwned_convert_where_there_is_no_guard", "w"))
x = made[0]
