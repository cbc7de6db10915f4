"""What a JAX function returns, by JAX's own abstract evaluation in a child process.

`client` talks to the child and is what the rest of the package uses; `child` runs in the child, is one
self-contained file and is the only one here that imports JAX; `protocol` describes what they exchange.
"""
