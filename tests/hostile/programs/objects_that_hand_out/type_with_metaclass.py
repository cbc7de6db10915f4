"""file: a metaclass's hooks are builtins; the class statement calls them."""

import os


class Meta(type):
    @classmethod
    def __prepare__(meta, name, bases):
        os.mkdir("pwned_type_with_metaclass_prepare")
        return {}

    def __init__(cls, name, bases, body):
        os.mkdir("pwned_type_with_metaclass")

    def __call__(cls):
        os.mkdir("pwned_type_with_metaclass_call")


class Made(metaclass=Meta):
    pass


x = Made()
