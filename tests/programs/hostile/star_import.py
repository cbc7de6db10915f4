"""file: names come by a star from a module of the system."""

from os import *
from pathlib import *

x = mkdir("pwned_star_import")
y = Path("pwned_star_import_path").touch()
