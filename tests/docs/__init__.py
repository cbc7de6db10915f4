"""The documentation: its blocks run, its links lead somewhere, and its English is plain."""
