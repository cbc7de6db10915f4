"""The words of options that several commands have."""

from __future__ import annotations

CONFIG_FILE = "mypy's configuration file. [default: the one that mypy finds]"
REQUIRE_WALL = "Exit with status 2 if the operating system cannot isolate the evaluation."
TRUST = "Also call the functions of PACKAGE. This imports it, which runs its code. Repeat the option for more packages."
PYTHON = "The Python, or virtual environment, whose JAX to use. [default: this one]"
