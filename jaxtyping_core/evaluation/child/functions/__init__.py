"""Answers about calls of the program's own functions: its modules are walked once, and called as often as is asked."""
