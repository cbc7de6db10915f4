"""memory: each letter of a text is replaced by the text."""

x = "aa"
for _ in range(12):
    x = x.replace("a", x)
