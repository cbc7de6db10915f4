"""time: half a number is looked for in a long range."""

x = 0.5 in range(10**12)
