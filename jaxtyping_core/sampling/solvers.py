"""Solvers of linear equations of which JAX says, under a trace, that they give arrays like the right side, weak ones for weak ones.

Without a trace they give what the steps of the solver do, which need not be weak.
"""

#: The module of solvers that takes long to import.
SPARSE = "jax.scipy.sparse.linalg"
SOLVERS = ("jax.lax.custom_linear_solve", *(f"{SPARSE}.{name}" for name in ("cg", "gmres", "bicgstab")))
