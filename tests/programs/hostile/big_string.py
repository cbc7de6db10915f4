"""memory: a string of a terabyte."""

x = "a" * 10**12
y = b"a" * 10**12
