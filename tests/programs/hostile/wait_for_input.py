"""time: input is read, and nothing comes."""

import sys

x = input("name: ")
y = sys.stdin.read()
