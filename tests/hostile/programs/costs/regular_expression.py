"""time: a pattern that is tried in more ways than there are atoms."""

import re

x = re.match("(a|a)*(a|a)*(a|a)*$", "a" * 60 + "b")
