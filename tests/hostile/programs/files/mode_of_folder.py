"""change: the folder itself may be entered by everybody."""

import os

os.chmod(os.path.dirname("CANARY_FILE"), 0o777)
