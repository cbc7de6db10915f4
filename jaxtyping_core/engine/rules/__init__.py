"""Rules about what JAX accepts: each is a domain of the walk, or a look at the calls that it makes."""
