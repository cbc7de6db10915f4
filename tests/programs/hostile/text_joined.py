"""memory: a text is joined by itself."""

x = "a" * 90_000
y = x.join(["a"] * 90_000)
z = x.join([y] * 9)
