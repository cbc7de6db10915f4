"""time: a number with a billion digits, by an operator."""

x = 10 ** 10**9
y = 1 << 10**12
z = pow(7, 10**9)
