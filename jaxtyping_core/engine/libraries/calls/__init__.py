"""Calls of any library with arguments that are not wholly known: what is tried for these, and what the results have in common."""
