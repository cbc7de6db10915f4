"""Every table of samples, and every limit of sampling. Each row has its reason.

A sample is a concrete value that is tried in place of an unknown one. Samples are not random: each is a case of its own
to some function of JAX or NumPy, or to programs. The order of a table is the order in which its rows are tried.
"""
