"""file: hooks of Python are called for what comes after."""

import os
import sys


def traced(frame, event, arg):
    os.makedirs("pwned_audit_and_trace", exist_ok=True)


sys.setprofile(traced)
len("x")
sys.setprofile(None)
sys.addaudithook(lambda event, args: None)
sys.unraisablehook = sys.excepthook = traced
