"""``jaxtyping-core verify``: annotated functions of a module, traced by JAX with the sizes that they declare.

choices     what is tried where an annotation leaves a choice
making      arguments that are as their forms say
sizes       which sizes are tried
outcomes    what comes of a call, and whose exception it is
comparing   whether a program compares symbols
evaluating  one call: with symbols for sizes, with numbers, or with real arrays
subjects    the functions of a module
deciding    what is known of a function after its calls
loading     modules, by name or by path
packages    whose code a file is
limits      a limit of time
report      what is printed of it
pytest_plugin  the same as tests
"""
