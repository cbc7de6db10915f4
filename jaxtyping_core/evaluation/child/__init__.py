"""The evaluation child: reads requests on standard input, answers on standard output (see protocol.py).

Run as ``python -E -P <this folder>``: isolated from the environment's Python settings and the current folder, so
that a checked project's own ``jax.py`` is never imported. Needs only jax; with ``jaxtyping_core`` beside it, the
array layer too. Ends when its input ends, hence with its parent. It evaluates functions of ``jax`` and of the layer
(and ``operator`` on arrays) and nothing else, and none that reads or writes files.

Its modules import one another, those beside this folder (`values`, `merging`, `protocol`) and those of `sampling` relatively:
where they run, these packages are not called what they are called here.
"""
