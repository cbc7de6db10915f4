"""file: Python asks an object that it copies for its state by an attribute that the object may have itself."""

import copy
import functools
import os


class Holder:
    pass


for name in ("__getstate__", "__reduce_ex__", "__reduce__", "__copy__", "__deepcopy__"):
    holder = Holder()
    setattr(holder, name, functools.partial(os.mkdir, "pwned_copied_state"))
    copy.copy(holder)
    copy.deepcopy([holder])
    holder.__dict__[name] = functools.partial(os.mkdir, "pwned_copied_state_deep")
    copy.deepcopy(holder)
