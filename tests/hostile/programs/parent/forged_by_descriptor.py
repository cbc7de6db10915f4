"""forged: an answer is written to each open descriptor, with a dtype that is code and a size that none is."""

import json
import os


def answer():
    name = "pwned_" + "told"
    dtype = "float32[1]; __import__('os')"
    place = {"file": "program.py", "line": 1, "column": 0, "name": name, "dtype": dtype, "shape": [-7], "calls": 1, "weak": False}
    known = {"places": [place], "refusals": [], "notes": [name], "complete": True}
    return json.dumps({"program": known}).encode() + b"\n"


for number in range(1, 12):
    try:
        os.write(number, answer())
    except OSError:
        continue
