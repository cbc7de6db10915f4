"""What five type checkers say of expressions over JAX's public API, against what the installed JAX computes."""
