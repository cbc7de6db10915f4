"""state: it updates dicts, the table of what is refused too, through the globals of a function."""

import enum
import functools
import types


class Kind(enum.Enum):
    pass


TABLES = "jaxtyping_core_evaluation.child.interpreter.libraries.tables"
denied = Kind._convert_("Denied", TABLES, lambda name: name == "DENIED")["DENIED"].value
denied.clear()
denied["pwned"] = frozenset()
