"""change: it gets another name, and another file gets its name."""

import os
import shutil

os.rename("CANARY_FILE", "CANARY_FILE.pwned")
shutil.move("CANARY_FILE.pwned", "pwned_rename")
os.replace("pwned_rename", "OUT/pwned_rename")
