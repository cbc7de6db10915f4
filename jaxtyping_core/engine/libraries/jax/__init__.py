"""JAX's own functions where an argument is not known: transformations, loops, branches, meshes, kernels, updates of arrays."""
