"""state: Python's own names are replaced."""

import builtins

builtins.len = lambda x: 7
builtins.isinstance = lambda x, y: True
builtins.__dict__["float"] = int
globals()["range"] = None
