"""NumPy's functions, where the numbers in their arrays are not known."""
