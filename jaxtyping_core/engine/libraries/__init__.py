"""Functions that are not the program's: which are called, and what is known of their results where arguments are not."""
