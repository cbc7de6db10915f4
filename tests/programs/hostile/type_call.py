"""file: a class made by type(), with methods that write."""

Model = type("Model", (), {"__init__": lambda self: open("pwned_type_call", "w").close(), "__len__": lambda self: 3})
x = Model()
