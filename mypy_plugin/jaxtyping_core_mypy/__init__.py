"""The mypy plugin of jaxtyping_core; use it as ``plugins = ["jaxtyping_core.mypy"]``."""
