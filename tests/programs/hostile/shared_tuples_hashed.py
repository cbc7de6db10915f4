"""time: a tuple of the same tuples is a key."""

x = (1,)
for _ in range(15):
    x = (x, x)
for _ in range(15):
    x = (x, x)
for _ in range(15):
    x = (x, x)
y = {x: 1}
