"""file: copy.copy calls what is assigned to a class as `__reduce_ex__`."""

import copy


class Model:
    pass


setattr(Model, "__reduce_ex__", lambda self, protocol: (open, ("pwned_reduce_assigned", "w")))
x = copy.copy(Model())
