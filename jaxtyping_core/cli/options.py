"""The words of options that several commands have."""

from __future__ import annotations

TRUST = "A package whose functions are called too; importing it runs its code. Give the option once for each package."
