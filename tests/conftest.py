"""What holds for all tests."""

import os

# For every refused call JAX would compare each frame of the traceback with its own folders: three quarters of the
# time of the tests that try all pairs of dtypes. Nobody reads these tracebacks.
os.environ.setdefault("JAX_TRACEBACK_FILTERING", "off")
