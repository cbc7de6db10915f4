"""file: functools.reduce walks attributes."""

import functools

subclasses = functools.reduce(getattr, ["__class__", "__base__", "__subclasses__"], ())()
base = next(c for c in subclasses if c.__name__ == "_IOBase")
raw = next(c for c in type.__subclasses__(base) if c.__name__ == "_RawIOBase")
file = next(c for c in raw.__subclasses__() if c.__name__ == "FileIO")
x = file("pwned_reduce_getattr", "w")
