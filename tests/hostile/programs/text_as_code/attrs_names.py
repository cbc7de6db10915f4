"""file: attrs compiles texts."""

from attr._make import _compile_and_eval

_compile_and_eval("import os; os.mkdir('pwned_attrs_names')", {})
