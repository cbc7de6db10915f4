"""time: math on large numbers."""

import math

x = math.factorial(10**8)
y = math.comb(10**8, 10**7)
