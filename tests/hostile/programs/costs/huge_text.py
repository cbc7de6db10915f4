"""memory: a text of 50 GB, by format, by join and by repetition."""

x = "x" * (50 << 30)
y = "{:>50000000000}".format("x")
z = "%50000000000d" % 1
