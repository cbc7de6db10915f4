"""What is known of a value: the abstract domain, as pure data.

`dims` is the algebra of dims, `expressions` the grammar of symbolic ones, `dtypes` that of sets of dtypes, `arrays` the
abstract array made of these, `formatting` its text for people, and `codec` its JSON. The evaluation child runs this package
under another name: its modules import each other, and the table of dtypes, by relative names, and neither JAX nor NumPy.
"""
