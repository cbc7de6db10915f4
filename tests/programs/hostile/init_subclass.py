"""file: a class is derived from one whose __init_subclass__ writes."""

from pathlib import Path


class Base:
    def __init_subclass__(cls, target, **kwargs):
        super().__init_subclass__(**kwargs)
        Path(target).write_text(cls.__name__)


class Derived(Base, target="pwned_init_subclass"):
    pass
