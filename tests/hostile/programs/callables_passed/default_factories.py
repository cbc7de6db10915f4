"""file: default factories of dataclasses, and a function that is called until it gives nothing."""

import dataclasses
import functools
import os


@dataclasses.dataclass
class Config:
    path: object = dataclasses.field(default_factory=functools.partial(os.mkdir, "pwned_default_factories"))


x = Config()
y = list(iter(functools.partial(os.mkdir, "pwned_default_factories_iter"), None))
