"""file: keywords of a class statement have names that are code, and __init_subclass__ makes fields of them."""

import dataclasses


class Base:
    def __init_subclass__(cls, **words):
        cls.__annotations__ = dict.fromkeys(words, int)
        for word in words:
            setattr(cls, word, dataclasses.field(init=False))
        dataclasses.dataclass(cls, repr=False, eq=False)


class Made(Base, **{"x=__import__('os').mkdir('pwned_keyword_names_of_class'),*y": 1}):
    pass
