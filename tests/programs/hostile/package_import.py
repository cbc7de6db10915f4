"""file: another module of the program, imported, writes at its top level."""

import runpy
import sys

x = open("pwned_package_import_module.py", "w").write("open('pwned_package_import', 'w')")
sys.path.insert(0, "")
import pwned_package_import_module
