"""``jaxtyping-core check``: mypy with the plugin, and its messages as users read them."""
