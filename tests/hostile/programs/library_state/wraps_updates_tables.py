"""state: the table of what is refused is emptied, which the modules that dataclasses knows lead to."""

import dataclasses
import functools


class Holder:
    __globals__ = None


TABLES = "jaxtyping_core_child.engine.libraries.trust.tables"
names = functools.update_wrapper(Holder(), dataclasses.fields, assigned=("__globals__",), updated=()).__globals__
denied = names["sys"].modules[TABLES].DENIED
denied.clear()
denied["pwned"] = frozenset()
