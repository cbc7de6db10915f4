"""file: copy.copy and copy.deepcopy call what __reduce_ex__ and __deepcopy__ name."""

import copy


class Model:
    def __reduce_ex__(self, protocol):
        return open, ("pwned_reduce_copy", "w")


class Other:
    def __deepcopy__(self, memo):
        open("pwned_reduce_copy_deep", "w").close()
        return self


x = copy.copy(Model())
y = copy.deepcopy(Other())
