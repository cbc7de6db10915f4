"""What statements and expressions of Python do to the values of a walk."""
