"""memory: lists and tuples of a terabyte."""

x = [0] * 10**11
y = (0,) * 10**11
z = bytes(10**12)
w = list(range(10**11))
