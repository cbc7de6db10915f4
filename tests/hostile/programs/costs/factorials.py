"""time: combinatorics of large numbers."""

import math

a = math.factorial(10**8)
b = math.comb(10**7, 5 * 10**6)
c = math.perm(10**8)
