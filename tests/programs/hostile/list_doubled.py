"""memory: a list is added to itself again and again."""

x = [1.0]
x = x + x
for _ in range(15):
    x = x + x
for _ in range(15):
    x = x + x
for _ in range(15):
    x = x + x
