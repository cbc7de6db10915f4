"""secret: a class and its fields are called like the content of a file."""

import pathlib

text = pathlib.Path("SECRET_FILE").read_text()[:18]
made = type(text, (), {text: 1})
raise type(text, (Exception,), {})(text)
