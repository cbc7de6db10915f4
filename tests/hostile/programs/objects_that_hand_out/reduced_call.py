"""file: a reduction calls, for copy.deepcopy, whatever it names."""

import copy
import os


class Reduced:
    def __reduce_ex__(self, protocol):
        return os.mkdir, ("pwned_reduced_call",)


class Deep:
    def __deepcopy__(self, memo):
        return os.mkdir("pwned_reduced_call_deep")


x = copy.copy(Reduced())
y = copy.deepcopy([Deep()])
