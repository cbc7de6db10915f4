"""file: operator.methodcaller calls the method of a path."""

import operator
import pathlib

x = operator.methodcaller("write_text", "x")(pathlib.Path("pwned_methodcaller_path"))
