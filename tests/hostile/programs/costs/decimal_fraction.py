"""time: fractions and decimals of enormous powers."""

import decimal
import fractions

a = fractions.Fraction(7, 3) ** 30_000_000
b = fractions.Fraction("1e300000000")
