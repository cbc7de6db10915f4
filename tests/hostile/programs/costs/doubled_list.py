"""memory: a list is doubled forty times."""

held = [0]
for _ in range(40):
    held = held + held
    held.extend(held)
