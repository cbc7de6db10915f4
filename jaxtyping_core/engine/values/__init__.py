"""The values of a walk that are no values of Python, and what several of them have in common."""
