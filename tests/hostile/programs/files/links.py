"""file: links, of both kinds, and a pipe."""

import os

os.symlink("/", "pwned_links")
os.link("CANARY_FILE", "OUT/pwned_links")
os.mkfifo("pwned_links_pipe")
