"""time: the process reads what is meant for its next question."""

import sys

x = sys.stdin.buffer.read()
y = open(0).read()
