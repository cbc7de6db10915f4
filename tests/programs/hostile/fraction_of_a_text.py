"""time: a fraction with a large exponent."""

import fractions

x = fractions.Fraction("1e999999999")
