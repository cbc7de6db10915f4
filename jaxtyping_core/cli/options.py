"""The words of options that several commands have."""

from __future__ import annotations

REQUIRE_WALL = "Fail where the operating system does not isolate the evaluation."
TRUST = "A package whose functions are called too; importing it runs its code. Give the option once for each package."
