"""file: Python compiles a module of the program's and writes that beside it."""

import py_compile

open("pwned_of_compiled_modules.py", "w").write("x = 1")
py_compile.compile("pwned_of_compiled_modules.py")
