"""What a JAX function returns, by JAX's own abstract evaluation in a child process.

`client` talks to the child and is what the rest of the package uses; `child` is what runs in the child, a
self-contained folder and the only one here that imports JAX; `protocol` describes what they exchange.
"""
