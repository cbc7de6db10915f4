"""change: a line is appended to a file that is there."""

with open("CANARY_FILE", "a") as file:
    file.write("more")
