"""file: __getattr__ writes when an attribute is missing, in an instance and in the module."""

import sys


def __getattr__(name):
    open("pwned_getattr_hook_module", "w").close()
    return name


class Params:
    def __getattr__(self, name):
        open("pwned_getattr_hook", "w").close()
        return 1.0


x = Params().weight
y = sys.modules[__name__].missing
