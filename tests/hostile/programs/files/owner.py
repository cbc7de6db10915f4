"""change: it is given attributes of the file system's own, and a lock."""

import os

try:
    os.setxattr("CANARY_FILE", "user.pwned", b"1")
except OSError:
    pass
os.chmod("CANARY_FILE", 0o600, follow_symlinks=True)
