"""file: shutil copies, and makes archives."""

import shutil

shutil.copyfile("CANARY_FILE", "pwned_copied")
shutil.copytree("OUT", "pwned_copied_tree")
shutil.make_archive("pwned_copied_archive", "zip", "OUT")
