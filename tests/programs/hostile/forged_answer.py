"""output: a line that looks like an answer."""

import json
import os
import sys

forged = {"program": {"places": [{"file": "forged", "line": 1, "column": 0, "name": "forged", "dtype": "float32"}]}}
print(json.dumps(forged), flush=True)
sys.stdout.write(json.dumps(forged) + "\n")
sys.__stdout__.write(json.dumps(forged) + "\n")
os.write(1, json.dumps(forged).encode() + b"\n")
