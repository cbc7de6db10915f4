"""``jaxtyping-core verify``: annotated functions of a module, traced by JAX with the sizes that they declare.

axes        one axis of an array as an annotation declares it, and what stands for its name in a call
forms       annotations as data
reading     the annotations of a function, read into forms
making      arguments that are as their forms say
fitting     whether a result is as its form says
sizes       which sizes are tried
evaluating  one call: with symbols for sizes, with numbers, or with real arrays
subjects    the functions of a module
deciding    what is known of a function after its calls
loading     modules, by name or by path
report      what is printed of it
"""
