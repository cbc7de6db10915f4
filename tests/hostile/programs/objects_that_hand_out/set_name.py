"""file: __set_name__ and __init_subclass__ are called with names that the program chooses."""

import functools
import os


class Named:
    def __set_name__(self, owner, name):
        os.mkdir(name)


made = type("Made", (), {"pwned_set_name": Named()})


class Base:
    __init_subclass__ = functools.partial(os.mkdir, "pwned_set_name_subclass")


class Sub(Base):
    pass
