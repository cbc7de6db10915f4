"""Write the stub package ``jax-stubs`` from the dtype table and the installed JAX.

A module of this package per kind of file that is written; `hints` and `functions` turn what
JAX says about its own functions into stub text.
"""
