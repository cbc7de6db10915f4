"""file: atexit and a weak reference's finalizer write when the process or the object ends."""

import atexit
import weakref


class Model:
    pass


model = Model()
atexit.register(open, "pwned_finalizers", "w")
weakref.finalize(model, open, "pwned_finalizers_finalize", "w")
