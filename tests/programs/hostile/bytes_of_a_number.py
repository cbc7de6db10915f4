"""memory: as many bytes as a number says."""

x = bytes(10**12)
