"""Python's own functions, classes and modules, for values that may be unknown: builtins, containers, iterators, paths, command lines."""
