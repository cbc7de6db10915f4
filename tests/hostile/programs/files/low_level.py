"""file: descriptors, and copies from one to another."""

import os

file = os.open("pwned_low_level", os.O_WRONLY | os.O_CREAT, 0o600)
os.write(file, b"x")
os.close(file)
other = os.open(".", os.O_RDONLY)
os.mkdir("pwned_low_level_at", dir_fd=other)
