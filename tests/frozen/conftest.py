"""The editor of the server's tests is a module of theirs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))
