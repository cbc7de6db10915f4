"""process: a program is started in a new session and not waited for."""

import subprocess

x = subprocess.Popen(["sleep", "30"], start_new_session=True, stdin=subprocess.DEVNULL)
