"""time: a large power of a fraction."""

import fractions

x = fractions.Fraction(3, 2) ** 10**10
