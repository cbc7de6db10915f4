"""What each client says of whole programs, written down: a change may make it more precise, and nothing else.

`programs` has the programs, `clients` asks about them, `claims` compares, `data/` is what was said; `freeze.py` writes it.
"""
