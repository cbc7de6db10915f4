"""Sampling: abstract arguments become concrete ones, a function is called, and the results are generalized.

`tables` holds what unknown parts are tried as, and every limit. This package imports no JAX, and nothing else of
``jaxtyping_core``: the evaluation child runs it as well.
"""
