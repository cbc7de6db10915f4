"""state: variables of the environment, the path of modules, and the folder."""

import os
import sys

os.environ["PYTHONSTARTUP"] = "pwned"
os.environ["XLA_FLAGS"] = "--xla_dump_to=pwned"
sys.path.insert(0, "pwned")
sys.modules["pwned"] = sys
