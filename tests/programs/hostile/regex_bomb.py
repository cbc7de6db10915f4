"""time: a pattern that takes exponential time."""

import re

x = re.match(r"(a+)+$", "a" * 64 + "b")
y = re.compile(r"(a*)*b").search("a" * 64)
