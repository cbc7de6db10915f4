"""file: folders are made, one in the other."""

import os
import pathlib

os.mkdir("pwned_folders")
os.makedirs("OUT/pwned_folders/more")
pathlib.Path("pwned_folders_path").mkdir(parents=True)
