"""file: comprehensions and a generator write."""

files = [open(name, "w") for name in ("pwned_comprehension", "pwned_comprehension_second")]
names = {name: open(name, "w") for name in ["pwned_comprehension_dict"]}
lazy = (open(name, "w") for name in ["pwned_comprehension_lazy"])
last = next(lazy)
