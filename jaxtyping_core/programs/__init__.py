"""What is known of the arrays of whole programs, from their source.

`sources` finds the modules of a program, `evaluate` has them evaluated, and `places` is what is then known.
"""
