"""memory: a list and a string that double."""

items = [1]
text = "a"
for _ in range(60):
    items += items
    text = text + text
