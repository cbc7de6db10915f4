"""file: the shell makes it."""

import os

x = os.system("touch pwned_os_system")
y = os.popen("touch pwned_os_system_popen").read()
