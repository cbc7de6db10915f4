"""forged: a place has a dtype and a size that no array has."""

import sys


def forged(self, parameters=False):
    name = "pwned_" + "told"
    place = {"file": "program.py", "line": 1, "column": 0, "name": name, "dtype": name, "shape": [-1, 10**30]}
    return [place | {"weak": False, "calls": 1}]


for name, module in [*sys.modules.items()]:
    if name.endswith(".interpreter.facts"):
        module.Facts.as_json = forged
