"""file: the shell makes a file."""

import os

x = os.system("touch pwned_shell")
y = os.popen("touch pwned_shell_popen").read()
