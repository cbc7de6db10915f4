"""file: an annotation in a string is evaluated by get_type_hints."""

import typing


def f(x: "open('pwned_string_annotation', 'w').close() or int"):
    return x


hints = typing.get_type_hints(f)
