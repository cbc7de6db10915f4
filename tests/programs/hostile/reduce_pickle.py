"""file: pickle calls what __reduce__ names."""

import pickle


class Model:
    def __reduce__(self):
        return open, ("pwned_reduce_pickle", "w")


payload = b"cbuiltins\nopen\n(Vpwned_reduce_pickle_bytes\nVw\ntR."
x = pickle.loads(payload)
y = pickle.dumps(Model())
z = pickle.loads(y)
