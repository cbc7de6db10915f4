"""memory: the text of what has no end."""

import itertools

x = "".join(itertools.cycle("ab"))
