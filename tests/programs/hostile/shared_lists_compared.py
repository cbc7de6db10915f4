"""time: lists of the same lists are compared, part by part."""

x, y = [1], [1]
for _ in range(15):
    x, y = [x, x], [y, y]
for _ in range(15):
    x, y = [x, x], [y, y]
for _ in range(15):
    x, y = [x, x], [y, y]
z = x == y
