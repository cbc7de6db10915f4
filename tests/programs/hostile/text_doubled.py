"""memory: a text is put into a text twice, again and again."""

x = "a"
for _ in range(15):
    x = f"{x}{x}"
for _ in range(15):
    x = f"{x}{x}"
for _ in range(15):
    x = f"{x}{x}"
