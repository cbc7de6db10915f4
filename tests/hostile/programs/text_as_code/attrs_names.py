"""file: attrs compiles texts."""

import attr._make as made

names = {}
compiled = [name for name in vars(made) if "compile" in name]
for name in compiled:
    try:
        getattr(made, name)("import os; os.mkdir('pwned_attrs_names')", names, "f")
    except TypeError:
        getattr(made, name)("import os; os.mkdir('pwned_attrs_names')", "f", names, {})
