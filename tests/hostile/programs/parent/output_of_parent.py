"""forged: what the parent writes gets a line more."""

import os

with open(f"/proc/{os.getppid()}/fd/1", "w") as out:
    out.write("pwned_" + "told\n")
    out.flush()
