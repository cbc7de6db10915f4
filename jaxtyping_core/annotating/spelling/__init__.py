"""How what calls agree on is written: `native` with this package's annotations, `jaxtyping` with jaxtyping's."""
