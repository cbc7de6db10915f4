"""file: a property and a cached one write."""

import functools
import os


class Model:
    @property
    def weight(self):
        os.mkdir("pwned_property_")
        return 1.0

    @functools.cached_property
    def bias(self):
        os.mkdir("pwned_property__cached")
        return 1.0


model = Model()
x = model.weight + model.bias
