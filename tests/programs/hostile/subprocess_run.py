"""file: another program makes it."""

import subprocess

done = subprocess.run(["touch", "pwned_subprocess_run"])
running = subprocess.Popen(["sleep", "2"])
