"""What mypy infers with the plugin where a program assigns to a name, or returns.

`places` tells it, of one build of mypy in this process (`builds`). `targets` finds the places in a module.
"""
