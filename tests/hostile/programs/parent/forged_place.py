"""forged: a place has a dtype and a size that no array has."""

import gc

NAME = "pwned_" + "told"
for each in gc.get_objects():
    if type(each).__name__ == "Facts":
        each.as_json = lambda parameters=False: [
            {"file": "program.py", "line": 1, "column": 0, "name": "x", "dtype": NAME, "dims": [-1, 10**30]}
        ]
