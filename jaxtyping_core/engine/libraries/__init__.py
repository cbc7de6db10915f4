"""Functions that are not the program's: which are called, and what is known of their results where arguments are not.

`natives` has what is called in place of a function, and `registry` the overlays of libraries, each of which is as `overlay`
says. `jax`, `numpy` and `python` are about the functions of these. `calls` is about calls of any library, `layers` about
objects that are layers, and `trust` about what may be called at all.
"""
