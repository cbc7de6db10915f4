"""memory: a list is extended by itself again and again."""

x = [1.0]
for _ in range(15):
    x.extend(x)
for _ in range(15):
    x += x
for _ in range(15):
    x[:] = x + x
