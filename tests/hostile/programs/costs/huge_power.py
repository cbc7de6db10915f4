"""time: a number of a billion digits, by three operators."""

import operator

a = 3 ** (10**9)
b = operator.pow(7, 10**9)
c = pow(5, 10**9, 0) if False else 9**10**8
