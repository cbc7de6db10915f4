"""file: posix_spawn and the functions of that name."""

import os

pid = os.posix_spawn("/usr/bin/touch", ["touch", "pwned_spawn"], {})
os.waitpid(pid, 0)
os.spawnv(os.P_WAIT, "/usr/bin/touch", ["touch", "pwned_spawn_spawnv"])
