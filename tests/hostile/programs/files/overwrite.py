"""change: it is opened for reading and writing, and written into without a change of its length."""

with open("CANARY_FILE", "r+") as file:
    file.write("is it")
