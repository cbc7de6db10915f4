"""file: frames have everybody's names."""

import inspect
import sys

x = inspect.currentframe().f_builtins["open"]("pwned_current_frame", "w")
y = sys._getframe().f_globals["__builtins__"]
