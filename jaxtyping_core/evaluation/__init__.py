"""What a JAX function returns, by JAX's own abstract evaluation in a child process.

`client` talks to the child and is what the rest of the package uses; `child` is what runs in the child, and the only
folder here that imports JAX; `protocol` describes what they exchange, `values` what calls and answers are made of, and
`merging` what several answers have in common. The child runs these three as well, and `jaxtyping_core.domain`.
"""
