"""Static dtypes and shapes for JAX."""

__version__ = "0.1.0.dev0"
