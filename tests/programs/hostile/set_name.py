"""file: __set_name__ of a class attribute writes."""

import pathlib


class Field:
    def __set_name__(self, owner, name):
        pathlib.Path(name).touch()


class Model:
    pwned_set_name = Field()
