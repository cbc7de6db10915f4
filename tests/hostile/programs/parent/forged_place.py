"""forged: a place has a dtype and a size that no array has."""

import sys


def forged(self):
    name = "pwned_" + "told"
    place = {"file": "program.py", "line": 1, "column": 0, "name": name, "dtype": name, "shape": [-1, 10**30]}
    return [place | {"weak": False, "calls": 1, "is_parameter": False, "is_array": True, "context": ["called", "", 0]}]


for name, module in [*sys.modules.items()]:
    if name.endswith(".engine.facts"):
        module.Facts.as_json = forged
