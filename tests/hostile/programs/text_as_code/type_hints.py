"""file: get_type_hints evaluates annotations that are texts."""

import typing


def f(x: "__import__('os').mkdir('pwned_type_hints')"):
    return x


class Row(typing.NamedTuple):
    a: "open('pwned_type_hints_tuple', 'w').close()"


class Entry(typing.TypedDict):
    b: "open('pwned_type_hints_dict', 'w').close()"


for holder in (f, Row, Entry):
    try:
        typing.get_type_hints(holder)
    except TypeError:
        pass
