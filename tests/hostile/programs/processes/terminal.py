"""file: a terminal of its own runs a command."""

import pty

pty.spawn(["touch", "pwned_terminal"], lambda fd: b"")
