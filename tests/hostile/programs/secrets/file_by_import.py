"""secret: a file is imported, executed and parsed: the error tells its line."""

import importlib.util
import runpy

try:
    runpy.run_path("SECRET_FILE")
except SyntaxError as error:
    text = error.text
except NameError as error:
    text = error.name
raise ValueError(text)
