"""file: modules by computed names."""

import importlib
import sys

x = importlib.import_module("o" + "s").system("touch pwned_importlib_os")
y = sys.modules["os"].system("touch pwned_importlib_os_modules")
z = __import__("os").system("touch pwned_importlib_os_import")
