"""file: another interpreter in the same process, or another one of the system."""

import subprocess
import sys

subprocess.call([sys.executable, "-c", "open('pwned_interpreter', 'w')"])
