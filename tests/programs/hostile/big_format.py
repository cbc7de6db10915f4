"""memory: a format as wide as the memory."""

x = f"{1:100000000000}"
y = "%100000000000d" % 1
z = "{:>100000000000}".format(1)
w = "a".ljust(10**11)
