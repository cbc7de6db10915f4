"""file: functools.partial, and a call by operator."""

import functools
import operator

x = functools.partial(open, "pwned_partial_open", "w")()
y = operator.call(open, "pwned_partial_open_operator", "w")
