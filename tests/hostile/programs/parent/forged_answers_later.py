"""forged: the function that makes answers is another one from now on."""

import sys

for name, module in [*sys.modules.items()]:
    if name.endswith(".child.serve") or name.endswith(".engine.session"):
        module.encode_answer = lambda answer: {"unknown": "pwned_" + "told"}
