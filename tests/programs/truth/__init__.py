"""Programs are run, and what their places held is compared with what `jaxtyping-core show --output-format json` says of them.

`PYTHONPATH=tests/programs python -m truth FOLDER` takes every program of a folder: a file ``NAME.py``, or a folder with a
``program.toml`` (`main`, `arguments`, and `paths`: folders that only its run imports from), a ``main.py``, a ``NAME.py`` of
its own name or a single file.

A place is an assignment to a name or a ``return`` with a value; it counts if it was reached and always held an array of
JAX, a tracer included (with what the program sees of it: under `vmap` the shape of one example). NumPy's arrays do not
count. Of such a place

- the **dtype** is known if the one that is claimed is the one of all values; weakness need not be claimed;
- the **rank** is known if a shape is claimed and all values have its rank;
- the **shape** is known if, besides, a number is claimed for each size that never changed, and none for those that did: a
  name, a formula or nothing. A name for a size that never changed is less than can be known, and is not wrong.

Wrong is a dtype, weakness, rank or number that some value contradicts, and one name or formula for two sizes of one
value. Weakness is not judged of bools and keys, whose promotion does not know it. Where dtypes or ranks change, nothing
can be claimed; such a place is open.
"""
