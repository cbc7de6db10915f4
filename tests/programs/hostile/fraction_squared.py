"""time: a fraction is squared again and again."""

import fractions

x = fractions.Fraction(3, 2)
for _ in range(60):
    x = x * x
