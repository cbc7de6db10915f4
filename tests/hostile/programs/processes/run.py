"""file: another program makes one."""

import subprocess

subprocess.run(["touch", "pwned_run"])
subprocess.Popen("touch pwned_run_shell", shell=True).wait()
x = subprocess.getoutput("touch pwned_run_output")
